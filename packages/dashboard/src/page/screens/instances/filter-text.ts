/** How the conditions of a filter are called. */
import type { ListFilter } from "../../shapes/filter.ts";

export const FILTER_LABEL: Readonly<Record<keyof ListFilter, string>> = {
  state: "state",
  name: "orchestration",
  version: "version",
  tags: "tags",
  schedule: "runs of",
  prefix: "id begins with",
  parent: "child of",
  roots: "without a parent",
  since: "started within",
  older: "started before",
  updated: "changed within",
  idle: "unchanged for",
  error: "error contains",
  category: "failure",
};

/** The chip of one condition. */
export function chipText(key: keyof ListFilter, value: string): string {
  if (key === "roots") return FILTER_LABEL.roots;
  if (key === "older") return `started more than ${value} ago`;
  return `${FILTER_LABEL[key]} ${value}`;
}
