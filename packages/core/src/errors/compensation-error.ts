import { DuroxideError, type DuroxideErrorCode } from "./duroxide-error.ts";
import { COMPENSATION_ERROR, thrownText } from "./thrown-value.ts";

/**
 * Undos of a saga failed for good: what they were to undo is left. `failures` are their errors; `cause` is the error
 * because of which the saga was undone, if there was one.
 */
export class CompensationError extends DuroxideError {
  protected static override readonly codes: readonly DuroxideErrorCode[] = ["compensation-failed"];
  override readonly name: "CompensationError" = COMPENSATION_ERROR;
  declare readonly failures: readonly unknown[];

  constructor(failures: readonly unknown[], reason: unknown) {
    const left = failures.map((failure) => thrownText(failure)).join("; ");
    const because = reason === undefined ? "" : `, after ${thrownText(reason)}`;
    super(
      "compensation-failed",
      `${failures.length} ${failures.length === 1 ? "undo" : "undos"} failed: ${left}${because}`,
      { cause: reason },
    );
    // Not data of the error, because its errors are stored as those of an AggregateError.
    Object.defineProperty(this, "failures", { value: failures });
  }
}
