/** Pages for coding agents: the list, the skill, and their copies in a package. The programs run in test/guide. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { addAgentPages, agentPages, llmsText } from "../../scripts/agent-pages.ts";
import { compile } from "../support/compile.ts";
import { linksOf } from "../tidy/markdown.ts";
import { exists, listFiles, read } from "../tidy/repository.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SKILL = read("docs/skill/SKILL.md");

describe("llms.txt", () => {
  it("is that of the repository, which `npm test -- test/agents -u` writes", async () => {
    await expect(llmsText(ROOT)).toMatchFileSnapshot(path.join(ROOT, "llms.txt"));
  });

  it("lists every page of the guide, and no page that is missing", () => {
    const pages = agentPages(ROOT);
    const guide = listFiles("docs/guide", ".md").filter((page) => !page.endsWith("/README.md"));
    expect(guide.filter((page) => !pages.includes(page))).toEqual([]);
    expect(pages.filter((page) => !exists(page))).toEqual([]);
  });
});

describe("the skill", () => {
  it("says by its head when an agent needs it", () => {
    const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(SKILL) ?? [];
    expect(head).toMatch(/^name: [a-z0-9-]+$/m);
    expect(/^description: (.+)$/m.exec(head)?.[1]?.length).toBeLessThanOrEqual(1_024);
    expect(SKILL.trimEnd().split("\n").length).toBeLessThanOrEqual(300);
  });

  it("has programs only of TypeScript that runs, and commands of the shell", () => {
    const kinds = [...SKILL.matchAll(/^```(\w+)\n/gm)].map(([, kind]) => kind);
    expect(kinds.filter((kind) => kind !== "ts" && kind !== "sh")).toEqual([]);
    expect(kinds.filter((kind) => kind === "ts").length).toBeGreaterThan(8);
  });

  it("begins with a program that compiles as it stands, where its services exist", () => {
    const [definitions = "", process = ""] = [...SKILL.matchAll(/```ts\n([\s\S]*?)```/g)].map(
      ([, text]) => text,
    );
    const services = `declare const bank: { charge(order: Order, key: string): Promise<string> };
declare const warehouse: { ship(id: string): Promise<string> };
`;
    expect(compile([`${definitions}${services}${process}export { main };\n`])).toEqual([[]]);
  });

  it("names verbs of the command line that exist", () => {
    const verbs = [...SKILL.matchAll(/npx duroxide ([a-z-]+(?: export)?)/g)].map(([, verb]) => verb);
    expect(verbs.length).toBeGreaterThan(3);
    const known = read("docs/operate/verbs.md");
    expect(verbs.filter((verb) => !known.includes(`Usage: duroxide ${verb} `))).toEqual([]);
  });
});

describe("a package with the pages", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "duroxide-pages-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("packs them, and every link in them leads to a file of the package", () => {
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "core", files: ["dist"] }));
    addAgentPages(ROOT, folder);
    const inside = (file: string): string => readFileSync(path.join(folder, file), "utf8");
    expect(JSON.parse(inside("package.json"))).toEqual({ name: "core", files: ["dist", "docs", "llms.txt"] });
    const pages = agentPages(ROOT);
    const targets = pages.flatMap((page) =>
      linksOf(inside(page))
        .filter(({ target }) => !/^[a-z]+:|^#/.test(target))
        .map(({ target }) => path.posix.join(path.posix.dirname(page), target.replace(/#.*/, ""))),
    );
    expect(targets.length).toBeGreaterThan(50);
    expect(targets.filter((target) => !pages.includes(target))).toEqual([]);
  });
});
