/** Compares the imports within the sources of a package with a table of layers. */
import path from "node:path";
import type { Layers } from "./layers.ts";
import { listFiles } from "./repository.ts";
import { importsOf } from "./source.ts";

/** One file imports another one; both are relative to their package's sources. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** Files of a package's sources, relative to their folder. The simulation is no package, and has its tests inside. */
export function sourcesOf(name: string): string[] {
  const folder = folderOf(name);
  const files = listFiles(folder, ".ts").map((file) => path.posix.relative(folder, file));
  return files.filter((file) => !isIn(file, "test"));
}

/** Imports of a package's sources among themselves. */
export function arrowsWithin(name: string): Arrow[] {
  const folder = folderOf(name);
  return sourcesOf(name).flatMap((from) =>
    importsOf(`${folder}/${from}`)
      .map(({ file: target }) => target)
      .filter((target) => target?.startsWith(`${folder}/`) === true)
      .map((target = "") => ({ from, to: path.posix.relative(folder, target) })),
  );
}

function folderOf(name: string): string {
  return name === "simulation" ? name : `packages/${name}/src`;
}

/** The row that is responsible for a file: the longest that it lies in. */
export function rowOf(layers: Layers, file: string): string | undefined {
  const rows = Object.keys(layers).filter((row) => isIn(file, row));
  return rows.sort((a, b) => b.length - a.length)[0];
}

/** Tells whether a row may import another: those that it names, and the rows within them. */
export function mayImport(layers: Layers, from: string, to: string): boolean {
  const allowed = layers[from] ?? "";
  return from === to || allowed === "*" || allowed.split(" ").some((row) => isIn(to, row));
}

/** Rows that name one which does not stand above them, or which does not exist. */
export function upwardRows(layers: Layers): string[] {
  const rows = Object.keys(layers);
  const standsAbove = (name: string, index: number): boolean => {
    const named = rows.filter((row) => isIn(row, name));
    return named.length > 0 && named.every((row) => rows.indexOf(row) < index);
  };
  return rows.flatMap((row, index) =>
    (layers[row] ?? "")
      .split(" ")
      .filter((name) => name !== "" && name !== "*" && !standsAbove(name, index))
      .map((name) => `${row} names ${name}`),
  );
}

/**
 * Files and folders that lie side by side in one folder and import each other in a circle, by that folder ("." is
 * the sources). A circle of files is one of these as well, in the innermost folder that contains all of it.
 */
export function circles(arrows: readonly Arrow[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [folder, graph] of siblings(arrows)) {
    const inCircle = [...graph.keys()].filter((node) => reaches(graph, node, node));
    if (inCircle.length > 0) found.set(folder, inCircle.sort());
  }
  return found;
}

type Graph = Map<string, Set<string>>;

/** The arrows between the direct contents of each folder. */
function siblings(arrows: readonly Arrow[]): Map<string, Graph> {
  const byFolder = new Map<string, Graph>();
  for (const { from, to } of arrows) {
    const [a, b] = [from.split("/"), to.split("/")];
    const depth = a.findIndex((part, index) => part !== b[index]);
    const folder = a.slice(0, depth).join("/") || ".";
    const graph = byFolder.get(folder) ?? new Map<string, Set<string>>();
    byFolder.set(folder, graph);
    const [source = "", target = ""] = [a[depth], b[depth]];
    graph.set(source, (graph.get(source) ?? new Set()).add(target));
  }
  return byFolder;
}

function reaches(graph: Graph, from: string, to: string): boolean {
  const seen = new Set<string>();
  const next = [...(graph.get(from) ?? [])];
  for (let node = next.pop(); node !== undefined; node = next.pop()) {
    if (node === to) return true;
    if (!seen.has(node)) next.push(...(graph.get(node) ?? []));
    seen.add(node);
  }
  return false;
}

function isIn(file: string, row: string): boolean {
  return file === row || file.startsWith(`${row}/`);
}
