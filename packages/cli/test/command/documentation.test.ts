/** docs/operate/verbs.md is made from the verbs. `npm test -- packages/cli/test/command/documentation -u` writes it. */
import path from "node:path";
import { expect, it } from "vitest";
import { verbHelp } from "../../src/help.ts";
import { VERBS } from "../../src/verb-table.ts";

const PAGE = path.join(import.meta.dirname, "..", "..", "..", "..", "docs", "operate", "verbs.md");

/** A flag that so many verbs have, with the same words, is explained once. */
const SHARED_BY = 6;

const HEAD = `# Verbs of the command line

Made from the command itself; \`duroxide VERB --help\` says the same, with examples. What all verbs share is in [The command line](command-line.md).
`;

it("the page of the verbs is what --help says", async () => {
  const helps = await Promise.all(
    Object.entries(VERBS)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(async ([name, { load }]) => [name, ownHelp(verbHelp(await load()))] as const),
  );
  const uses = new Map<string, number>();
  for (const [, help] of helps) for (const line of flagLines(help)) uses.set(line, (uses.get(line) ?? 0) + 1);
  const shared = [...uses].filter(([, count]) => count >= SHARED_BY).map(([line]) => line);

  const sections = helps.map(([name, help]) => block(name, withoutShared(help, shared)));
  await expect(
    [HEAD, block("Flags of many verbs", shared.join("\n")), ...sections].join("\n"),
  ).toMatchFileSnapshot(PAGE);
});

function ownHelp(help: string): string {
  return help
    .replace(/Flags of every verb\n[\s\S]*?\n\n/, "")
    .replace(/^Examples\n[\s\S]*$/m, "")
    .trimEnd();
}

/** The lines under "Flags", each with two spaces between the flag and its words. */
function flagLines(help: string): string[] {
  const [, list = ""] = /^Flags\n([\s\S]*)$/m.exec(help) ?? [];
  return list
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => `  ${line.trim().replace(/ {2,}/, "  ")}`);
}

function withoutShared(help: string, shared: readonly string[]): string {
  const lines = flagLines(help);
  const own = lines.filter((line) => !shared.includes(line));
  const names = lines.filter((line) => shared.includes(line)).map((line) => /--[a-z-]+/.exec(line)?.[0]);
  const text = names.join(" ").replace(/--status .* --waiting/, "--status to --waiting");
  const above = text === "" ? [] : [`  above: ${text}`];
  return help.replace(/^Flags\n[\s\S]*$/m, ["Flags", ...own, ...above].join("\n"));
}

function block(heading: string, text: string): string {
  return `## ${heading}\n\n\`\`\`text\n${text}\n\`\`\`\n`;
}
