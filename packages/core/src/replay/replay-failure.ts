/** Ends a turn as failed. User code can neither catch nor see it. */
import { DuroxideError } from "../errors/duroxide-error.ts";
import { nondeterminism, thrownFailure } from "../errors/failure-details.ts";
import { inBrackets, thrownLocation } from "../errors/source-location.ts";
import { thrownText } from "../errors/thrown-value.ts";
import { displayMessage, type ErrorDetails } from "../wire/error-details.ts";

export class ReplayFailure extends Error {
  readonly details: ErrorDetails;

  constructor(details: ErrorDetails) {
    super(displayMessage(details));
    this.details = details;
  }

  static nondeterminism(message: string): ReplayFailure {
    return new ReplayFailure(nondeterminism(message));
  }

  static outsideTurn(what: string, location?: string): ReplayFailure {
    return ReplayFailure.nondeterminism(
      `${what} came while no turn was running: the code awaited something that is not durable, such as fetch, ` +
        `setTimeout or a file. Do that in an activity, and wait with ctx.scheduleTimer${inBrackets(location)}`,
    );
  }

  static foreignWait(): ReplayFailure {
    return ReplayFailure.nondeterminism(
      "the turn ended with the code waiting for something that is not durable, such as fetch, setTimeout, a file " +
        "or a promise that is never settled. Do that in an activity, and wait with ctx.scheduleTimer",
    );
  }

  /** The error that the wrong call itself throws. */
  static asError(failure: ReplayFailure): DuroxideError {
    return new DuroxideError("outside-turn", failure.message);
  }
}

/** The failure because of a mistake of the code, which blocks its instance until the code is correct. */
export class DefectFailure extends ReplayFailure {
  readonly thrown: unknown;

  constructor(thrown: unknown) {
    super(thrownFailure("OrchestrationFailed", thrown));
    this.thrown = thrown;
  }

  /** One line: the error, and where it was thrown. */
  get detail(): string {
    const text = thrownText(this.thrown);
    const place = inBrackets(thrownLocation(this.thrown));
    // The guard names the place itself.
    return `the code has thrown ${text.endsWith(place) ? text : `${text}${place}`}`;
  }
}
