/** The definition of a container. */
import type { ContainerInfo } from "./container.ts";
import { element, type PageElement } from "./dom.ts";
import { isObject, type Json, pretty, textOf } from "./exact-json.ts";
import { table } from "./view.ts";

const RANGE_COLUMNS = ["id", "from", "to, not included"].map((name) => ({ name }));

export function propertiesView({ definition, ranges, partitionKeyPaths }: ContainerInfo): PageElement {
  const key = isObject(definition["partitionKey"]) ? definition["partitionKey"] : {};
  const facts: readonly (readonly [string, string])[] = [
    ["Partition key", partitionKeyPaths.join(", ")],
    ["Kind", `${textOf(key["kind"])}, version ${textOf(key["version"])}`],
    ["Time to live", timeToLive(definition["defaultTtl"])],
    ["Unique keys", uniqueKeys(definition["uniqueKeyPolicy"])],
    ["Resource id", textOf(definition["_rid"])],
    ["ETag", textOf(definition["_etag"])],
  ];
  const list = facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
  const rows = ranges.map((range) => {
    const { id, minInclusive, maxExclusive } = range;
    const cells = [id, minInclusive === "" ? "the beginning" : minInclusive, maxExclusive];
    return element("tr", {}, ...cells.map((cell) => element("td", {}, textOf(cell))));
  });
  return element(
    "div",
    { class: "properties" },
    element("dl", {}, ...list),
    section("Indexing policy", definition["indexingPolicy"]),
    element("h2", {}, "Physical partitions"),
    table("Physical partitions", RANGE_COLUMNS, rows),
    section("Definition", definition),
  );
}

function section(title: string, value: Json | undefined): PageElement {
  return element("section", {}, element("h2", {}, title), element("pre", { tabindex: "0" }, pretty(value)));
}

function timeToLive(seconds: Json | undefined): string {
  if (seconds === undefined) return "off";
  return seconds === -1
    ? "on, documents set their own"
    : `${textOf(seconds)} s unless a document says otherwise`;
}

function uniqueKeys(policy: Json | undefined): string {
  const keys = isObject(policy) ? policy["uniqueKeys"] : undefined;
  if (!Array.isArray(keys) || keys.length === 0) return "none";
  const pathsOf = (key: Json): string =>
    isObject(key) && Array.isArray(key["paths"]) ? key["paths"].map(textOf).join(", ") : textOf(key);
  return keys.map(pathsOf).join("; ");
}
