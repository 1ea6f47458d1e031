/** The search of `duroxide mcp` over the documents. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { pageFiles, pagesRoot } from "../../src/documents/page-files.ts";
import { searchBelow } from "../../src/documents/search.ts";
import { sectionsOf } from "../../src/documents/sections.ts";

describe("the search over the documents", () => {
  const search = searchBelow(pagesRoot());

  it.each([
    ["how do I retry an activity with a backoff", "docs/guide/02-activities.md"],
    ["continueAsNew", "docs/guide/06-long-running.md"],
    ["limit-exceeded", "docs/errors.md"],
    ["payload limit", "docs/guide/12-payloads.md"],
    ["encrypt payloads", "docs/guide/15-encryption-and-offloading.md"],
    ["rewind an instance", "docs/operate/changes-by-hand.md"],
    ["nondeterminism blocked", "docs/guide/08-versions-and-deployments.md"],
    ["idempotency key", "docs/guide/02-activities.md"],
    ["determinsm guard", "docs/guide/09-determinism.md"],
    ["duroxide.config.ts", "packages/cli/README.md"],
    ["rules of orchestration code", "docs/skill/SKILL.md"],
  ])("finds for %j a section of %s among the first three", (query, page) => {
    expect(search(query, 3).map((found) => found.page)).toContain(page);
  });

  it("finds nothing for words that are nowhere", () => {
    expect(search("zxqvyk", 3)).toEqual([]);
  });

  it("leaves out decisions and the pages of the other library", () => {
    const files = pageFiles(pagesRoot());
    expect(files).toContain("docs/reference/wire-format.md");
    expect(files.filter((file) => /decisions|upstream|\/\./.test(file))).toEqual([]);
  });

  it("finds the same in a copy of the pages, as a package has it", async () => {
    const copy = await mkdtemp(path.join(tmpdir(), "duroxide-pages-"));
    try {
      for (const file of pageFiles(pagesRoot()))
        await cp(path.join(pagesRoot(), file), path.join(copy, file));
      expect(searchBelow(copy)("payload limit", 5)).toEqual(search("payload limit", 5));
    } finally {
      await rm(copy, { recursive: true });
    }
  });

  it("says how the pages are added where there are none", async () => {
    const empty = await mkdtemp(path.join(tmpdir(), "duroxide-pages-"));
    expect(() => searchBelow(empty)).toThrow(/npm run pack/);
    await rm(empty, { recursive: true });
  });
});

describe("sections of a page", () => {
  it("have the headings above them, and code keeps its comments", () => {
    const page =
      "intro\n# Page\n## One\n<!-- program.ts -->\n```sh\n# no heading\n```\n### Deep\ntext\n## Two\nend\n";
    expect(sectionsOf("p.md", page)).toEqual([
      { page: "p.md", heading: "", text: "intro" },
      { page: "p.md", heading: "Page › One", text: "```sh\n# no heading\n```" },
      { page: "p.md", heading: "Page › One › Deep", text: "text" },
      { page: "p.md", heading: "Page › Two", text: "end" },
    ]);
  });

  it("that are long are cut between lines, and nothing is lost", () => {
    const lines = Array.from({ length: 100 }, (_, n) => `line ${n} ${"x".repeat(50)}`);
    const sections = sectionsOf("p.md", `# Long\n${lines.join("\n")}\n`);
    expect(sections.length).toBeGreaterThan(1);
    for (const { text } of sections) expect(text.length).toBeLessThan(2_000);
    expect(sections.map(({ text }) => text).join("\n")).toBe(lines.join("\n"));
  });
});
