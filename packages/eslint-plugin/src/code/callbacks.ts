/** Tells which functions that are passed to a call of a context are steps, branches or answered. */
import type { Names } from "../syntax/names.ts";
import {
  type Call,
  type FunctionNode,
  isFunction,
  type Node,
  propertyName,
  unwrapped,
} from "../syntax/node.ts";
import { functionOf } from "./starts.ts";
import type { ContextCall } from "./zone.ts";

/** A function that the runtime calls. */
export interface Callback {
  readonly kind: "branch" | "answered" | "step";
  readonly function: FunctionNode;
  /** Position of the context among its parameters. */
  readonly contextAt: number;
}

interface Place {
  readonly at: number;
  readonly kind: Callback["kind"];
  readonly contextAt?: number;
}

/** Places of the functions among the arguments of a call, and where these get their context. */
const CALLBACKS: ReadonlyMap<string, readonly Place[]> = new Map<string, readonly Place[]>([
  ["context.run", [{ at: 1, kind: "step" }]],
  ["context.deterministic", [{ at: 0, kind: "answered" }]],
  ["context.map", [{ at: 1, kind: "branch", contextAt: 0 }]],
  ["context.onCancel", [{ at: 0, kind: "branch", contextAt: 0 }]],
  ["context.answer", [{ at: 1, kind: "branch", contextAt: 1 }]],
  ["saga.run", [1, 2].map((at) => ({ at, kind: "step" }))],
]);

const JOINS: ReadonlySet<string> = new Set(["all", "allSettled", "race"]);

/** The functions of the file that are arguments of a call. */
export function callbacksOf(call: Call, { object, method }: ContextCall, names: Names): Callback[] {
  const places = CALLBACKS.get(`${object}.${method}`) ?? [];
  const found = places.flatMap(({ at, kind, contextAt = -1 }) =>
    asCallback(call.arguments[at], kind, contextAt, names),
  );
  const [entries] = call.arguments;
  if (object === "context" && JOINS.has(method) && entries !== undefined)
    found.push(...branchesIn(entries, names));
  if (object === "saga" && method === "schedule") found.push(...undoIn(call.arguments[2], names));
  return found;
}

function asCallback(
  node: Node | null | undefined,
  kind: Callback["kind"],
  contextAt: number,
  names: Names,
): Callback[] {
  const found = node ? functionOf(node, names) : undefined;
  return found === undefined ? [] : [{ kind, function: found, contextAt }];
}

/** Branches in a list that is written down, or that `map` makes of another: `items.map((item) => (branch) => …)`. */
function branchesIn(entries: Node, names: Names): Callback[] {
  const list = unwrapped(entries);
  if (list.type === "ArrayExpression") {
    return list.elements.flatMap((each) => asCallback(each, "branch", 0, names));
  }
  if (list.type !== "CallExpression") return [];
  const [made] = list.arguments;
  return isFunction(made) ? asCallback(made.body, "branch", 0, names) : [];
}

function undoIn(options: Node | undefined, names: Names): Callback[] {
  if (options?.type !== "ObjectExpression") return [];
  return options.properties.flatMap((each) =>
    each.type === "Property" && propertyName(each) === "undo"
      ? asCallback(each.value, "step", -1, names)
      : [],
  );
}
