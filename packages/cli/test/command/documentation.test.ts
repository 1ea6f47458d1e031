/** docs/operate/verbs.md is made from the verbs. `npm test -- packages/cli/test/command/documentation -u` writes it. */
import path from "node:path";
import { expect, it } from "vitest";
import { verbHelp } from "../../src/help.ts";
import { VERBS } from "../../src/verb-table.ts";

const PAGE = path.join(import.meta.dirname, "..", "..", "..", "..", "docs", "operate", "verbs.md");

it("the page of the verbs is what --help says", async () => {
  const sections = await Promise.all(
    Object.entries(VERBS).map(async ([name, { load }]) => {
      const help = verbHelp(await load());
      const own = help.replace(/Flags of every verb\n[\s\S]*?\n\n/, "").trimEnd();
      return `## ${name}\n\n\`\`\`text\n${own}\n\`\`\`\n`;
    }),
  );
  const head =
    "# Verbs of the command line\n\nMade from the command itself; `duroxide VERB --help` says the same. What all verbs share is in [The command line](command-line.md).\n";
  await expect([head, ...sections].join("\n")).toMatchFileSnapshot(PAGE);
});
