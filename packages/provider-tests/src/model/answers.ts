/** The answers of calls, and which of them are the same. */
import { isDeepStrictEqual } from "node:util";
import { type Provider, ProviderError, type ProviderErrorCode } from "@duroxide-ts/core/stores";
import { isAdministrative, type Method } from "./call.ts";

/** The outcome of a call; `broken` is an error that the contract does not define. */
export type Answer =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "refused"; readonly code: ProviderErrorCode }
  | { readonly kind: "broken"; readonly message: string };

export async function answerOf(
  provider: Provider,
  method: Method,
  args: readonly unknown[],
): Promise<Answer> {
  const target = isAdministrative(method) ? provider.admin : provider;
  try {
    const call = Reflect.get(target ?? {}, method, target) as (...args: readonly unknown[]) => unknown;
    return { kind: "returned", value: await Reflect.apply(call, target, args) };
  } catch (error) {
    if (ProviderError.is(error)) return { kind: "refused", code: error.code };
    return { kind: "broken", message: String(error) };
  }
}

/** If a call has several faults, its error may name any of them. */
const OF_ONE_CALL: readonly (readonly ProviderErrorCode[])[] = [
  ["lock-lost", "duplicate-event", "invalid-input"],
];

export function isSameAnswer(actual: Answer, expected: Answer): boolean {
  if (actual.kind === "returned" && expected.kind === "returned") {
    const wanted = withoutOptional(expected.value, actual.value);
    return isDeepStrictEqual(compared(actual.value), compared(wanted));
  }
  if (actual.kind !== "refused" || expected.kind !== "refused") return false;
  const mayBeEither = OF_ONE_CALL.some(
    (codes) => codes.includes(actual.code) && codes.includes(expected.code),
  );
  return actual.code === expected.code || mayBeEither;
}

/** Fields that a store may leave out. */
const OPTIONAL = ["failure", "orchestration"];

function withoutOptional(expected: unknown, actual: unknown): unknown {
  if (!isObject(expected) || !isObject(actual)) return expected;
  const absent = OPTIONAL.filter((name) => Reflect.get(actual, name) === undefined);
  return Object.fromEntries(Object.entries(expected).filter(([name]) => !absent.includes(name)));
}

/** Times, and counts that other cases test. */
const NOT_COMPARED = [
  "lockedUntilMs",
  "queuedAtMs",
  "sinceMs",
  "nextTryAtMs",
  "createdAtMs",
  "updatedAtMs",
  "startedAtMs",
  "completedAtMs",
  "blockedWork",
  "deadMessages",
  "cost",
];

/** Lists whose order is left to other cases. */
const IN_ANY_ORDER = ["instances", "blocked"];

/** The part of a value that two stores have in common. */
function compared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compared);
  if (!isObject(value)) return value;
  const fields = Object.entries(value).flatMap(([name, field]) => {
    if (field === undefined || NOT_COMPARED.includes(name) || isOneOfMany(name, field)) return [];
    return [[name, IN_ANY_ORDER.includes(name) && Array.isArray(field) ? sorted(field) : compared(field)]];
  });
  return Object.fromEntries(fields);
}

/** A summary may have any of several blocks that began at the same time. */
function isOneOfMany(name: string, field: unknown): boolean {
  return name === "blocked" && !Array.isArray(field);
}

function sorted(list: readonly unknown[]): unknown {
  return list.map(compared).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** A map is a value here. */
function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Map);
}
