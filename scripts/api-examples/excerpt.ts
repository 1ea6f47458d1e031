/** Part of the code around a use that is shown: short, whole statements, with what stands beside them. */
import ts from "typescript";
import { withoutIndentation } from "./regions.ts";

/** Lines of an excerpt that is not cut. */
const MOST_LINES = 12;
/** Lines up to which a statement takes its neighbours with it. */
const WITH_NEIGHBOURS = 8;
/** Lines of a longer statement that stay before and behind the use. */
const AROUND = 3;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** `within` is the code that may be shown. */
export function excerptOf(source: ts.SourceFile, node: ts.Node, within: Range): string {
  const { text } = source;
  const lines = ({ from, to }: Range): number => text.slice(from, to).trim().split("\n").length;
  if (lines(within) <= MOST_LINES) return tidy(text.slice(within.from, within.to));
  const units = unitsAround(source, node, within);
  const unit = units.findLast((each) => lines(each) <= MOST_LINES);
  if (unit !== undefined) {
    const { from, to } = withNeighbours(source, unit, within, lines);
    return tidy(text.slice(lineStart(text, from), to));
  }
  const [smallest = within] = units;
  return cut(text, smallest, node.getStart(source));
}

type Unit = Range & { readonly node: ts.Node };

/** Statements and members of classes around a node, from the inside. */
function unitsAround(source: ts.SourceFile, node: ts.Node, within: Range): readonly Unit[] {
  const units: Unit[] = [];
  for (let at = node; at !== undefined && !ts.isSourceFile(at); at = at.parent) {
    const range = { node: at, from: at.getStart(source, true), to: at.end };
    if (range.from < within.from || range.to > within.to) break;
    if ((ts.isStatement(at) && !ts.isBlock(at)) || ts.isClassElement(at)) units.push(range);
  }
  return units;
}

function withNeighbours(
  source: ts.SourceFile,
  unit: Unit,
  within: Range,
  lines: (range: Range) => number,
): Range {
  const { parent } = unit.node;
  const siblings: readonly ts.Node[] =
    ts.isBlock(parent) || ts.isSourceFile(parent) || ts.isModuleBlock(parent) ? parent.statements : [];
  const at = siblings.indexOf(unit.node);
  let range: Range = unit;
  for (const neighbour of [siblings[at - 1], siblings[at + 1]]) {
    if (neighbour === undefined || ts.isImportDeclaration(neighbour)) continue;
    const wider = {
      from: Math.min(range.from, neighbour.getStart(source, true)),
      to: Math.max(range.to, neighbour.end),
    };
    const fits = wider.from >= within.from && wider.to <= within.to && lines(wider) <= WITH_NEIGHBOURS;
    if (fits) range = wider;
  }
  return range;
}

/** The first line of a long statement, and the lines around the use. */
function cut(text: string, { from, to }: Range, place: number): string {
  const lines = text.slice(lineStart(text, from), to).split("\n");
  const at = text.slice(from, place).split("\n").length - 1;
  const first = Math.max(at - AROUND, 0);
  const last = Math.min(at + AROUND, lines.length - 1);
  const indentation = /^ */.exec(lines[at] ?? "")?.[0] ?? "";
  const shown = [
    ...(first > 0 ? lines.slice(0, 1) : []),
    ...(first > 1 ? [`${indentation}// …`] : []),
    ...lines.slice(first, last + 1),
    ...(last < lines.length - 1 ? [`${indentation}// …`] : []),
  ];
  return tidy(shown.join("\n"));
}

function lineStart(text: string, place: number): number {
  return text.lastIndexOf("\n", place - 1) + 1;
}

function tidy(text: string): string {
  const lines = text.replace(/^\s*\n|\s+$/g, "").split("\n");
  return withoutIndentation(lines.filter((line) => !/^\s*\/\/ #(end)?region/.test(line)));
}
