/** What is told when orchestration code goes on outside its turns. */
import { callerLocation } from "../errors/source-location.ts";
import { disowned } from "../guard/rejections.ts";
import type { ErrorDetails } from "../wire/error-details.ts";
import type { ReplayFailure } from "./replay-failure.ts";

/** Code of an execution that has not ended did something outside its turns. */
export interface StrayCode {
  readonly instanceId: string;
  readonly executionId: number;
  readonly details: ErrorDetails;
  /** `file:line:column`, where the stack says. */
  readonly location: string | undefined;
}

/** Called from within that code, so its line is on the stack. */
export function tellOfStray(
  { instanceId, executionId }: Pick<StrayCode, "instanceId" | "executionId">,
  { details }: ReplayFailure,
  tell: ((stray: StrayCode) => void) | undefined,
): void {
  const location = callerLocation();
  disowned(() => tell?.({ instanceId, executionId, details, location }));
}
