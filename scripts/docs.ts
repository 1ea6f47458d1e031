/** `npm run docs`: the pages and the API reference as one site, which needs no network. */
import path from "node:path";
import { CommandLine } from "./command-line.ts";
import { runTool } from "./node-tool.ts";

const SITE = path.join("dist", "site");

const { values } = CommandLine.read({
  call: "npm run docs",
  help: ` [-- flags]

Builds the documentation as a site in ${SITE}, with search, and the reference of every function, type and option in
${path.join(SITE, "api")}.

  --serve   serves the site on http://localhost:4173 when it is built, until Ctrl-C
  --no-api  leaves the API reference out, which takes most of the time
`,
  flags: { serve: { type: "boolean" }, "no-api": { type: "boolean" } },
});

/** Ends this process where the tool fails. */
async function run(program: string, ...args: readonly string[]): Promise<void> {
  const exitCode = await runTool(program, ...args);
  if (exitCode !== 0) process.exit(exitCode);
}

await run("vitepress/bin/vitepress.js", "build", "docs");
if (!values["no-api"]) await run("typedoc/bin/typedoc");
if (values.serve) await run("vitepress/bin/vitepress.js", "preview", "docs", "--port", "4173");
else
  console.log(
    `The site is in ${SITE}. \`npm run docs -- --serve\` builds and serves it; so does any web server.`,
  );
