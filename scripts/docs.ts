/** `npm run docs`: the pages and the API reference as one site, which needs no network. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { CommandLine } from "./command-line.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
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
  const script = path.join(ROOT, "node_modules", ...program.split("/"));
  const child = spawn(process.execPath, [script, ...args], { cwd: ROOT, stdio: "inherit" });
  const stop = (signal: NodeJS.Signals): boolean => child.kill(signal);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  const [exitCode] = await once(child, "exit");
  if (exitCode !== 0) process.exit(typeof exitCode === "number" ? exitCode : 1);
}

await run("vitepress/bin/vitepress.js", "build", "docs");
if (!values["no-api"]) await run("typedoc/bin/typedoc");
if (values.serve) await run("vitepress/bin/vitepress.js", "preview", "docs", "--port", "4173");
else
  console.log(
    `The site is in ${SITE}. \`npm run docs -- --serve\` builds and serves it; so does any web server.`,
  );
