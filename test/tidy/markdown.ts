/** The little of Markdown that the rules need: links, headings and tables, outside code blocks. */

export interface Link {
  readonly target: string;
  readonly line: number;
}

export function linksOf(markdown: string): Link[] {
  return withoutCode(markdown).flatMap((line, index) =>
    [...line.matchAll(/\[[^\]]*\]\(([^()\s]+)\)/g)].map((match) => ({
      target: match[1] ?? "",
      line: index + 1,
    })),
  );
}

export function headingsOf(markdown: string): string[] {
  return withoutCode(markdown)
    .filter((line) => /^#{1,6} /.test(line))
    .map((line) => line.replace(/^#+ /, "").trim());
}

/** The fragment by which a heading is linked to. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

/** The section numbers that a page has: `## 7. Acknowledge` is §7, `### 2.13 KV` is §2.13. */
export function sectionNumbersOf(markdown: string): Set<string> {
  return new Set(
    headingsOf(markdown)
      .map((heading) => /^§?(\d+(?:\.\d+)*)\.?\s/.exec(`${heading} `)?.[1])
      .filter((number) => number !== undefined),
  );
}

/** The first column, without its code marks, of the table under a heading. */
export function firstColumnUnder(markdown: string, heading: string): string[] {
  const lines = withoutCode(markdown);
  const start = lines.findIndex((line) => line.replace(/^#+ /, "") === heading && line.startsWith("#"));
  if (start === -1) return [];
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith("#"));
  const section = lines.slice(start + 1, length === -1 ? undefined : start + 1 + length);
  return section.map((line) => /^\| `([^`]+)` \|/.exec(line)?.[1]).filter((code) => code !== undefined);
}

/** Lines, with those of fenced blocks emptied so that line numbers stay. */
function withoutCode(markdown: string): string[] {
  let fenced = false;
  return markdown.split("\n").map((line) => {
    if (line.trimStart().startsWith("```")) {
      fenced = !fenced;
      return "";
    }
    return fenced ? "" : line;
  });
}
