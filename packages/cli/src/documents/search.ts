/**
 * The search over the pages. The index is made at the first search of a process
 * (docs/decisions/command-line.md).
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import MiniSearch from "minisearch";
import { pageFiles, pagesRoot } from "./page-files.ts";
import { type Section, sectionsOf } from "./sections.ts";

export type Search = (query: string, limit: number) => readonly Section[];

let made: Search | undefined;

/** The search over the pages of this package. Throws where it has none. */
export function documentSearch(): Search {
  made ??= searchBelow(pagesRoot());
  return made;
}

/** The search over the pages below a root. */
export function searchBelow(root: string): Search {
  const files = pageFiles(root);
  if (files.length === 0)
    throw new Error(
      "this build of the command has no pages: npm run pack, in a clone of the repository, adds them",
    );
  const sections = files.flatMap((file) => sectionsOf(file, readFileSync(path.join(root, file), "utf8")));
  const index = new MiniSearch<Section & { readonly id: number }>({
    fields: ["heading", "text"],
    tokenize: (text) => text.split(/[^\p{L}\p{N}_-]+/u),
    processTerm: wordsOf,
    searchOptions: {
      boost: { heading: 3 },
      boostDocument: (id) => (sections[Number(id)]?.page.startsWith("docs/reference/") ? REFERENCE : 1),
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 4 ? 0.15 : false),
    },
  });
  index.addAll(sections.map((section, id) => ({ ...section, id })));
  return (query, limit) =>
    index
      .search(query)
      .slice(0, limit)
      .flatMap(({ id }) => sections[Number(id)] ?? []);
}

/** The reference is for authors of stores, and longer than everything else. */
const REFERENCE = 0.6;

/** Too frequent to tell sections apart. */
const FREQUENT: ReadonlySet<string> = new Set(
  "a an and are as at be by can do does for from has have how i if in is it its not of on or that the then there this to was what when where which why with".split(
    " ",
  ),
);

/** A name such as `continueAsNew` or `limit-exceeded` is found whole and by its words. */
function wordsOf(term: string): string[] | null {
  const whole = term.toLowerCase();
  if (whole === "" || FREQUENT.has(whole)) return null;
  const parts = term
    .split(/[-_]+|(?<=[a-z0-9])(?=[A-Z])/)
    .map((part) => part.toLowerCase())
    .filter((part) => part !== "" && !FREQUENT.has(part));
  return [...new Set([whole, ...parts])];
}
