/** The results that the contract allows for one call, and the state of the store after each. */
import { isDeepStrictEqual } from "node:util";
import type { ProviderErrorCode } from "@duroxide-ts/core/stores";
import { literal } from "./literal.ts";
import type { State } from "./state.ts";

/** The outcome of a call; `broken` is an error that the contract does not define. */
export type Answer =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "refused"; readonly code: ProviderErrorCode }
  | { readonly kind: "broken"; readonly message: string };

export type Expectation = Refusal | Acceptance;

/** The call changes nothing. If a call has several faults, the error may name any of them. */
interface Refusal {
  readonly kind: "refusal";
  readonly codes: readonly ProviderErrorCode[];
}

interface Acceptance {
  readonly kind: "acceptance";
  /** Allowed as well; nothing is changed then. */
  readonly refusals?: readonly ProviderErrorCode[];
  /** The allowed results, in words. */
  readonly wanted: string;
  /** The next state for the store's choice, if the contract allows several results. */
  readonly accept: (value: unknown) => State | Complaint;
}

/** Why a result is not allowed: the results that would have been. */
export class Complaint {
  readonly wanted: string;

  constructor(wanted: string) {
    this.wanted = wanted;
  }
}

export function refuses(...codes: readonly ProviderErrorCode[]): Expectation {
  return { kind: "refusal", codes };
}

/** Exactly this answer. */
export function returns(value: unknown, state: State): Expectation {
  return {
    kind: "acceptance",
    // Computed on demand, because most answers are correct and then it is not needed.
    get wanted() {
      return literal(value);
    },
    accept: (actual) => (isDeepStrictEqual(actual, value) ? state : new Complaint(literal(value))),
  };
}

/** Every result that `accept` accepts. `T` is the type of the method's result. */
export function allows<T>(wanted: string, accept: (value: T) => State | Complaint): Expectation {
  return { kind: "acceptance", wanted, accept: accept as (value: unknown) => State | Complaint };
}

/** Whatever `accept` finds right, or a refusal for one of these reasons. */
export function allowsOr<T>(
  refusals: readonly ProviderErrorCode[],
  wanted: string,
  accept: (value: T) => State | Complaint,
): Expectation {
  return { kind: "acceptance", refusals, wanted, accept: accept as (value: unknown) => State | Complaint };
}

/** The state after the call, or a complaint. */
export function judge(expectation: Expectation, answer: Answer, state: State): State | Complaint {
  if (expectation.kind === "acceptance") {
    if (answer.kind === "returned") return expectation.accept(answer.value);
    const isAllowed = answer.kind === "refused" && expectation.refusals?.includes(answer.code) === true;
    return isAllowed ? state : new Complaint(expectation.wanted);
  }
  const isRight = answer.kind === "refused" && expectation.codes.includes(answer.code);
  return isRight ? state : new Complaint(`an error, ${expectation.codes.join(" or ")}`);
}

/** The fields that differ, in words; `undefined` if none does. */
export function difference(actual: object, expected: object): string | undefined {
  const keys = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  const fields = [...keys].flatMap((key) => {
    const wanted: unknown = Reflect.get(expected, key);
    return isDeepStrictEqual(Reflect.get(actual, key), wanted) ? [] : [`${key}: ${literal(wanted)}`];
  });
  return fields.length === 0 ? undefined : fields.join(", ");
}
