/** Pages in the pieces that a search finds: a section, or a part of a long one. */

export interface Section {
  /** The path of the page in the repository. */
  readonly page: string;
  /** The headings above the text, such as `Errors › Provider errors`. */
  readonly heading: string;
  readonly text: string;
}

/** An answer of a tool shows texts up to this length. */
const LONGEST = 1_800;

const HEADING = /^(#{1,4}) +(.*)$/;

/** The sections of a page, in its order. Lines of code that look like headings are none. */
export function sectionsOf(page: string, markdown: string): readonly Section[] {
  const sections: Section[] = [];
  const above: string[] = [];
  let lines: string[] = [];
  let inCode = false;
  const close = (): void => {
    const heading = above.filter((it) => it !== "").join(" › ");
    for (const text of pieces(lines)) sections.push({ page, heading, text });
    lines = [];
  };
  for (const line of markdown.split(/\r?\n/)) {
    if (line.startsWith("```")) inCode = !inCode;
    const [, marks = "", title = ""] = (inCode ? null : HEADING.exec(line)) ?? [];
    if (marks !== "") {
      close();
      above.length = marks.length - 1;
      above.push(title);
    } else if (!/^<!--.*-->$/.test(line)) lines.push(line);
  }
  close();
  return sections;
}

/** Cut between lines. A line alone is at most a row of a table. */
function pieces(lines: readonly string[]): readonly string[] {
  const found: string[] = [];
  let piece = "";
  for (const line of lines) {
    if (piece.length + line.length > LONGEST && piece.trim() !== "") {
      found.push(piece.trim());
      piece = "";
    }
    piece += `${line}\n`;
  }
  if (piece.trim() !== "") found.push(piece.trim());
  return found;
}
