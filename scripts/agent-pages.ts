/**
 * Pages for coding agents: `llms.txt`, which lists them, and their copies inside a package, where an agent finds them
 * without the network. A page that names another one outside the package says so in words.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { withoutOuterLinks } from "./outer-links.ts";

interface Part {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** Pages beside those of the guide, each with what it is about. */
const OTHERS: readonly (readonly [file: string, title: string, about: string])[] = [
  ["docs/testing.md", "Testing", "virtual time, mocks, replays of stored histories"],
  ["docs/errors.md", "Errors", "every code, and what to do"],
  ["docs/what-you-see-when.md", "What you see when …", "mistakes, with the messages that name them"],
  ["docs/guarantees.md", "Guarantees", "what holds whatever dies"],
  [
    "docs/coming-from.md",
    "Coming from other systems",
    "the words of Temporal, Durable Functions, duroxide-node",
  ],
];

const SKILL = "docs/skill/SKILL.md";

/** The text of `llms.txt`, whose links are relative to the root of the repository and of the package. */
export function llmsText(root: string): string {
  const parts: readonly Part[] = [
    {
      heading: "Begin here",
      lines: [lineOf(SKILL, "Skill", "how to write, test and repair orchestrations")],
    },
    { heading: "Guide", lines: tableOf(root, "docs/guide") },
    { heading: "Recipes", lines: tableOf(root, "docs/recipes") },
    { heading: "Reference", lines: OTHERS.map((other) => lineOf(...other)) },
  ];
  const body = parts.map(({ heading, lines }) => `## ${heading}\n\n${lines.join("\n")}\n`).join("\n");
  return `# duroxide-ts\n\n> Durable workflows (orchestrations) for TypeScript: async functions whose steps are stored, on SQLite or Azure Cosmos DB, and go on after a crash.\n\n${body}`;
}

/** Pages that `llms.txt` lists. */
export function agentPages(root: string): readonly string[] {
  return [...llmsText(root).matchAll(/\]\(([^)]+)\)/g)].map(([, file = ""]) => file);
}

/** Writes `llms.txt` and its pages into a package that is about to be packed, and names them in its manifest. */
export function addAgentPages(root: string, folder: string): void {
  writeFileSync(path.join(folder, "llms.txt"), llmsText(root));
  const pages = agentPages(root);
  for (const file of pages) {
    const copy = path.join(folder, file);
    mkdirSync(path.dirname(copy), { recursive: true });
    const page = { folder: path.posix.dirname(file), has: (other: string) => pages.includes(other) };
    writeFileSync(copy, withoutOuterLinks(readFileSync(path.join(root, file), "utf8"), page));
  }
  const manifest = path.join(folder, "package.json");
  const content = JSON.parse(readFileSync(manifest, "utf8")) as { readonly files: readonly string[] };
  const files = [...content.files, "docs", "llms.txt"];
  writeFileSync(manifest, `${JSON.stringify({ ...content, files }, undefined, 2)}\n`);
}

/** Copies `llms.txt` and its pages, as Markdown, beside the pages of the site. */
export function copyAgentPages(root: string, folder: string): void {
  writeFileSync(path.join(folder, "llms.txt"), llmsText(root));
  for (const file of agentPages(root)) cpSync(path.join(root, file), path.join(folder, file));
}

function lineOf(file: string, title: string, about: string): string {
  return `- [${title}](${file}): ${about}`;
}

/** Rows of the table in the README of a folder: a link, and what the page is good for. */
function tableOf(root: string, folder: string): string[] {
  const readme = readFileSync(path.join(root, folder, "README.md"), "utf8");
  const rows = readme.matchAll(/^\| \[([^\]]+)\]\(([\w-]+\.md)\) \| (.+) \|$/gm);
  return Array.from(rows, ([, title = "", file = "", about = ""]) =>
    lineOf(`${folder}/${file}`, title, about.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")),
  );
}
