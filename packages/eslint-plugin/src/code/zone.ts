/** The kinds of code in a file, as far as they matter to orchestrations. */
import type { Variable } from "../syntax/eslint.ts";
import type { FunctionNode } from "../syntax/node.ts";

export interface Zone {
  /** "code" is repeated by replays; "answered" runs within `ctx.deterministic`; a "step" does the work of an activity. */
  readonly kind: "code" | "answered" | "step";
  /** Function with which it begins. */
  readonly start: FunctionNode;
  /** Context for its calls, if the function has named it. */
  readonly context: Variable | undefined;
  /** Whether it has a context of its own, named or not. */
  readonly hasOwnContext: boolean;
  readonly outer: Zone | undefined;
}

/** A durable call, or another call of a context. */
export interface ContextCall {
  readonly object: "context" | "saga";
  readonly method: string;
  /** Variable on which the call is made. */
  readonly variable: Variable;
}
