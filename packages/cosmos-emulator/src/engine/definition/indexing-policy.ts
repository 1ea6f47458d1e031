/**
 * The paths that a container indexes, and their combinations (docs/reference/cosmos-protocol.md §1.15).
 *
 * A policy names paths with a wildcard at the end: `/*` is everything, `/a/*` everything from `a` down, `/a/?` the
 * value at `a` itself, `[]` the elements of an array. The most precise path that fits decides; of two that are
 * equally precise, the one that includes. `_ts` is indexed whatever the policy says.
 */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import { isJsonObject } from "../../protocol/json-text.ts";
import { parsePropertyPath } from "../../protocol/property-path.ts";

export interface CompositePath {
  /** Names of properties from the root. */
  readonly names: readonly string[];
  readonly descending: boolean;
}

export interface IndexingPolicy {
  /** Tells whether the value at this path is indexed. Elements of arrays are named `[]`. */
  isIndexed(names: readonly string[]): boolean;
  /** Tells whether the policy includes exactly this path. */
  names(names: readonly string[]): boolean;
  readonly composites: readonly (readonly CompositePath[])[];
  /** Whether every value that a user stores is indexed, whatever its path. */
  readonly coversAll: boolean;
  /** Whether nothing is indexed at all (`indexingMode` "none"). */
  readonly isOff: boolean;
}

interface PathRule {
  readonly names: readonly string[];
  /** `/*` covers everything below, `/?` only the value itself. */
  readonly coversBelow: boolean;
  readonly includes: boolean;
}

const MAX_COMPOSITES = 100;
const MAX_COMPOSITE_PATHS = 8;

const DEFAULT_BODY: JsonObject = {
  indexingMode: "consistent",
  automatic: true,
  includedPaths: [{ path: "/*" }],
  excludedPaths: [{ path: '/"_etag"/?' }],
};

/** Returns the policy, and its body completed with defaults; 400 if it is malformed. */
export function parseIndexingPolicy(value: JsonValue | undefined): {
  readonly policy: IndexingPolicy;
  readonly body: JsonObject;
} {
  if (value === undefined || value === null) return parseIndexingPolicy(DEFAULT_BODY);
  if (!isJsonObject(value)) throw invalid("it must be an object");
  const mode = String(value["indexingMode"] ?? "consistent").toLowerCase();
  if (mode !== "consistent" && mode !== "none" && mode !== "lazy") {
    throw invalid('indexingMode must be "consistent" or "none"');
  }
  const isOff = mode === "none";
  const included = pathList(value["includedPaths"], "includedPaths");
  const excluded = pathList(value["excludedPaths"], "excludedPaths");
  // A policy that says nothing about paths means the default ones.
  const isBare = included.length === 0 && excluded.length === 0 && !isOff;
  const body: JsonObject = {
    automatic: true,
    ...value,
    indexingMode: mode,
    ...(isBare ? pathsOfBody(DEFAULT_BODY) : { includedPaths: included, excludedPaths: excluded }),
  };
  if (isBare) return { policy: policyOf(body, isOff), body };
  if (!isOff && ![...included, ...excluded].some((entry) => pathText(entry) === "/*")) {
    throw invalid('the root path "/*" must be among the included or the excluded paths');
  }
  return { policy: policyOf(body, isOff), body };
}

function pathsOfBody(body: JsonObject): JsonObject {
  return { includedPaths: body["includedPaths"] ?? [], excludedPaths: body["excludedPaths"] ?? [] };
}

function policyOf(body: JsonObject, isOff: boolean): IndexingPolicy {
  const rules = [
    ...pathList(body["includedPaths"], "includedPaths").map((entry) => ruleOf(entry, true)),
    ...pathList(body["excludedPaths"], "excludedPaths").map((entry) => ruleOf(entry, false)),
  ];
  const known = new Map<string, boolean>();
  return {
    isOff,
    coversAll: !isOff && decide(rules, []) && rules.every((rule) => rule.includes || isSystemPath(rule)),
    composites: parseComposites(body["compositeIndexes"]),
    names: (names) =>
      rules.some((rule) => rule.includes && !rule.coversBelow && isSamePath(rule.names, names)),
    isIndexed: (names) => {
      if (isOff) return false;
      if (names.length === 1 && names[0] === "_ts") return true;
      const key = names.join("/");
      let answer = known.get(key);
      if (answer === undefined) {
        answer = decide(rules, names);
        if (known.size < MOST_KNOWN_PATHS) known.set(key, answer);
      }
      return answer;
    },
  };
}

/** Documents with ever new property names must not fill the memory. */
const MOST_KNOWN_PATHS = 10_000;

function decide(rules: readonly PathRule[], names: readonly string[]): boolean {
  let best: PathRule | undefined;
  for (const rule of rules) {
    if (fits(rule, names) && (best === undefined || isMorePrecise(rule, best))) best = rule;
  }
  return best?.includes ?? false;
}

function isSystemPath({ names: [first, ...below] }: PathRule): boolean {
  return below.length === 0 && first !== undefined && /^_(etag|rid|self|ts|attachments)$/.test(first);
}

function isSamePath(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name, index) => name === right[index]);
}

function fits({ names: prefix, coversBelow }: PathRule, names: readonly string[]): boolean {
  if (names.length < prefix.length || (!coversBelow && names.length > prefix.length)) return false;
  return prefix.every((name, index) => name === names[index]);
}

function isMorePrecise(rule: PathRule, than: PathRule): boolean {
  if (rule.names.length !== than.names.length) return rule.names.length > than.names.length;
  if (rule.coversBelow !== than.coversBelow) return !rule.coversBelow;
  return rule.includes && !than.includes;
}

function ruleOf(entry: JsonValue, includes: boolean): PathRule {
  const path = pathText(entry);
  const end = /\/([*?])$/.exec(path);
  if (end === null) throw invalid(`the path ${JSON.stringify(path)} must end in /* or /?`);
  return { names: pathNames(path.slice(0, -2)), coversBelow: end[1] === "*", includes };
}

function parseComposites(value: JsonValue | undefined): readonly (readonly CompositePath[])[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid("compositeIndexes must be a list of lists");
  if (value.length > MAX_COMPOSITES) throw invalid(`there are at most ${MAX_COMPOSITES} composite indexes`);
  return value.map((paths: JsonValue) => {
    if (!Array.isArray(paths) || paths.length < 2 || paths.length > MAX_COMPOSITE_PATHS) {
      throw invalid(`a composite index lists 2 to ${MAX_COMPOSITE_PATHS} paths`);
    }
    return paths.map((entry: JsonValue) => ({
      names: pathNames(pathText(entry)),
      descending: isJsonObject(entry) && entry["order"] === "descending",
    }));
  });
}

function pathList(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(`${name} must be a list of objects with a path`);
  return value;
}

function pathText(entry: JsonValue): string {
  const path = isJsonObject(entry) ? entry["path"] : undefined;
  if (typeof path !== "string" || !path.startsWith("/"))
    throw invalid('each path looks like {"path": "/name/?"}');
  return path;
}

/** Reads the names of a path. The root is the empty list. */
function pathNames(path: string): readonly string[] {
  return path === "" ? [] : parsePropertyPath(path);
}

function invalid(rule: string): CosmosError {
  return CosmosError.badRequest(`The indexing policy is invalid: ${rule}.`);
}
