/** Finds orchestration code that runs outside its turns (live-execution.L1). */
import type { DuroxideError } from "../../errors/duroxide-error.ts";
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

export class CodeOutsideTurn {
  readonly #of: Pick<StrayCode, "instanceId" | "executionId">;
  readonly #tell: ((stray: StrayCode) => void) | undefined;
  #failure: ReplayFailure | undefined;
  #hasEnded = false;

  constructor(
    of: Pick<StrayCode, "instanceId" | "executionId">,
    tell: ((stray: StrayCode) => void) | undefined,
  ) {
    this.#of = of;
    this.#tell = tell;
  }

  /**
   * Also for an execution that is not kept in memory, because its code must not continue either. Called from within that
   * code, so its line is on the stack.
   */
  note(what: string): void {
    if (this.#hasEnded || this.#failure !== undefined) return;
    const { instanceId, executionId } = this.#of;
    const location = callerLocation();
    const failure = ReplayFailure.outsideTurn(what, location);
    disowned(() => this.#tell?.({ instanceId, executionId, details: failure.details, location }));
    this.#failure = failure;
  }

  /** The error that a call outside a turn throws. */
  refusalOf(what: string): DuroxideError {
    return ReplayFailure.asError(this.#failure ?? ReplayFailure.outsideTurn(what));
  }

  /** Throws ReplayFailure if there was any. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The execution has ended: later code is none of it. */
  end(): void {
    this.#hasEnded = true;
  }
}
