/** What the contract allows as the answer to one call, and what the store holds after it. */
import { isDeepStrictEqual } from "node:util";
import type { ProviderErrorCode } from "@duroxide-ts/core/stores";
import { literal } from "./literal.ts";
import type { State } from "./state.ts";

/** What a call came to; `broken` is an error that is none of the contract's. */
export type Answer =
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "refused"; readonly code: ProviderErrorCode }
  | { readonly kind: "broken"; readonly message: string };

export type Expectation = Refusal | Acceptance;

/** Nothing is changed. Where a call is wrong in several ways, any of them may be named. */
interface Refusal {
  readonly kind: "refusal";
  readonly codes: readonly ProviderErrorCode[];
}

interface Acceptance {
  readonly kind: "acceptance";
  /** What is allowed, in words. */
  readonly wanted: string;
  /** Follows the store's choice where the contract leaves one. */
  readonly accept: (value: unknown) => State | Complaint;
}

/** Why an answer is not allowed: what would have been. */
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

/** Whatever `accept` finds right. `T` is the type of the method's answer. */
export function allows<T>(wanted: string, accept: (value: T) => State | Complaint): Expectation {
  return { kind: "acceptance", wanted, accept: accept as (value: unknown) => State | Complaint };
}

/** The state after the call, or a complaint. */
export function judge(expectation: Expectation, answer: Answer, state: State): State | Complaint {
  if (expectation.kind === "acceptance") {
    return answer.kind === "returned" ? expectation.accept(answer.value) : new Complaint(expectation.wanted);
  }
  const isRight = answer.kind === "refused" && expectation.codes.includes(answer.code);
  return isRight ? state : new Complaint(`an error, ${expectation.codes.join(" or ")}`);
}

/** The fields that are not as they should be, in words; `undefined` where all are. */
export function difference(actual: object, expected: object): string | undefined {
  const keys = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  const fields = [...keys].flatMap((key) => {
    const wanted: unknown = Reflect.get(expected, key);
    return isDeepStrictEqual(Reflect.get(actual, key), wanted) ? [] : [`${key}: ${literal(wanted)}`];
  });
  return fields.length === 0 ? undefined : fields.join(", ");
}
