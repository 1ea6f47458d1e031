/** The suite covers the reference: every marked statement has a row, every row a check or a reason. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BEHAVIOUR_ROWS } from "../../conformance/rows/behaviour.ts";
import type { Row } from "../../conformance/rows/row.ts";
import { WIRE_ROWS } from "../../conformance/rows/wire.ts";
import { ROWS, type RowId } from "../../conformance/rows.ts";
import { CHECKS } from "../../conformance/suite.ts";

const REFERENCE = new URL("../../../../docs/reference/cosmos-protocol.md", import.meta.url);

interface Statement {
  /** Number of the section in which it stands: "1.6". */
  readonly section: string;
  readonly text: string;
}

/** The lines of the page, each joined with the indented ones that continue it, and with its section. */
function statementsOf(page: string): readonly Statement[] {
  const statements: Statement[] = [];
  let section = "";
  for (const line of page.split("\n")) {
    section = /^#+ (\d+(?:\.\d+)?)/.exec(line)?.[1] ?? section;
    const last = statements.at(-1);
    if (/^\s+\S/.test(line) && last !== undefined)
      statements.splice(-1, 1, { ...last, text: `${last.text}\n${line}` });
    else if (line.trim() !== "") statements.push({ section, text: line });
  }
  return statements;
}

/** Statements that say what an endpoint does: marked as seen, documented or reported, or rows of these tables and lists. */
const RECORDINGS = "7";
const RULES = ["0"];
const TABLES = ["2.1", "3.1", "3.2", "6"];
const LISTS = ["5.2"];

function isToBeCovered({ section, text }: Statement, index: number): boolean {
  if (section === "" || section === RECORDINGS || text.startsWith("#") || isIntroduction(text)) return false;
  if (text.startsWith("- ") && isIntroduction(introductionOf(index))) return true;
  if (RULES.includes(section)) return /^\d+\. /.test(text);
  if (LISTS.includes(section)) return text.startsWith("- ");
  const isTableRow = /^\| (?!Limit|Status|Operation|\|)\S/.test(text);
  if (TABLES.includes(section)) return isTableRow;
  return /\[(SVC|DOC|ISS)/.test(text);
}

/** A marked line that ends in a colon marks the list below it. */
function isIntroduction(text: string): boolean {
  return /\[(SVC|DOC|ISS)[^\]]*\]:$/.test(text);
}

/** The line above the list in which a statement stands. */
function introductionOf(index: number): string {
  const above = statements.slice(0, index).findLast(({ text }) => !text.startsWith("- "));
  return above?.text ?? "";
}

const statements = statementsOf(readFileSync(REFERENCE, "utf8"));
const quoted: readonly (readonly [id: string, row: Row])[] = Object.entries({
  ...WIRE_ROWS,
  ...BEHAVIOUR_ROWS,
});

describe("the rows", () => {
  it("quote the page that they stand for, in their section, each one place", () => {
    const wrong = quoted.filter(([id, { quote }]) => {
      const section = id.split(" ")[0] ?? "";
      const places = statements.filter((it) => it.text.includes(quote));
      return places.length !== 1 || !section.startsWith(places[0]?.section ?? "?");
    });
    expect(wrong.map(([id, { quote }]) => `${id}: ${quote}`)).toEqual([]);
  });

  it("cover every statement of the page that an endpoint can keep or break", () => {
    const without = statements
      .filter(isToBeCovered)
      .filter(({ text }) => !quoted.some(([, { quote }]) => text.includes(quote)));
    expect(without.map(({ section, text }) => `§${section} ${text.slice(0, 120)}`)).toEqual([]);
  });

  it("have a check, or the reason why they have none", () => {
    const evidence = new Set<string>(CHECKS.flatMap((check) => check.evidence));
    const bare = (Object.entries(ROWS) as [RowId, Row][]).filter(
      ([id, { unchecked }]) => evidence.has(id) === (unchecked !== undefined),
    );
    expect(bare.map(([id]) => id)).toEqual([]);
  });
});

describe("the checks", () => {
  it("have names of their own within their group, and name their evidence", () => {
    const names = CHECKS.map(({ group, name }) => `${group}: ${name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(CHECKS.filter(({ evidence }) => evidence.length === 0)).toEqual([]);
  });
});
