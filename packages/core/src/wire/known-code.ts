/** The code that a caller of a fetch has (docs/reference/provider-contract.md §6, 2a). */
import type { ActivityExecute } from "./work-item.ts";

/** A version of an orchestration, as an entry of `versions` of a fetch. */
export function programOf(name: string, version: string): string {
  return `${name}@${version}`;
}

/**
 * The tag of activities whose handler stands in the code of an orchestration (docs/decisions/activities.md). Workers of Rust
 * with the default filter leave them alone.
 */
export const STEP_TAG = "@duroxide-ts/step";

/**
 * The tag of the call with which an instance waits for the permit of its limit (docs/decisions/limits.md). No worker takes
 * it: the store answers it.
 */
export const PERMIT_TAG = "@duroxide-ts/permit";

/** The name of the step that undoes a call of a saga begins so. */
export const UNDO_PREFIX = "undo ";

/** The name under which a fetch has the code of all steps of a program, as an entry of `activities`. */
export function stepsOf(program: string): string {
  return `${STEP_TAG}:${program}`;
}

/** The name that a fetch must have among its `activities` to have the code for the activity. */
export function handlerOf({ name, step_of }: Pick<ActivityExecute, "name" | "step_of">): string {
  return step_of === undefined ? name : stepsOf(step_of);
}
