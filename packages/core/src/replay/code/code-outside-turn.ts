/** Reports orchestration code that runs outside its turns (live-execution.L1). */
import { callerLocation } from "../../errors/source-location.ts";
import { disowned } from "../../guard/rejections.ts";
import type { ErrorDetails } from "../../wire/error-details.ts";
import { ReplayFailure } from "../replay-failure.ts";

/** A call or an end of code outside the turns of its execution. */
export interface StrayCode {
  readonly instanceId: string;
  readonly executionId: number;
  readonly details: ErrorDetails;
  /** `file:line:column`, if the stack has it. */
  readonly location: string | undefined;
}

/** The failure of the next turn. Called from within that code, so its line is on the stack. */
export function reportCodeOutsideTurn(
  { instanceId, executionId }: Pick<StrayCode, "instanceId" | "executionId">,
  what: string,
  tell: ((stray: StrayCode) => void) | undefined,
): ReplayFailure {
  const location = callerLocation();
  const failure = ReplayFailure.outsideTurn(what, location);
  disowned(() => tell?.({ instanceId, executionId, details: failure.details, location }));
  return failure;
}
