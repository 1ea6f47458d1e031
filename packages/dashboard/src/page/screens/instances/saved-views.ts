/** Views that have a name: those of every browser, and those that this browser keeps. */

export interface SavedView {
  readonly name: string;
  /** The part of the address behind the question mark. */
  readonly query: string;
}

export const DEFAULT_VIEWS: readonly SavedView[] = [
  { name: "Failed today", query: "state=failed&updated=24h&order=updated-desc" },
  { name: "Blocked", query: "state=blocked" },
  { name: "Running for more than a day", query: "state=running&older=1d&order=created-asc" },
  { name: "Unchanged for more than a day", query: "state=running&idle=1d&order=created-asc" },
  { name: "Suspended", query: "state=suspended" },
  { name: "Changed in the last hour", query: "updated=1h&order=updated-desc" },
];

const KEY = "duroxide-views";

export function keptViews(): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    return [];
  }
}

export function keepView(view: SavedView): void {
  write([...keptViews().filter(({ name }) => name !== view.name), view]);
}

export function forgetView(name: string): void {
  write(keptViews().filter((view) => view.name !== name));
}

function write(views: readonly SavedView[]): void {
  try {
    window.localStorage.setItem(KEY, JSON.stringify(views));
  } catch {
    // A browser without storage keeps no views.
  }
}

function isView(value: unknown): value is SavedView {
  return typeof value === "object" && value !== null && "name" in value && "query" in value;
}
