/** The ends of a script, as the interpreter's thread reports them, and the errors that follow from them. */
import { CosmosError } from "../protocol/cosmos-error.ts";
import type { ScriptLimits } from "./script-collection.ts";

/** An exception of a script, described inside the interpreter. */
export interface ScriptException {
  /** Text such as `Error: out of stock`. */
  readonly text: string;
  readonly stack: string;
  /** The `number` of the error, such as the status of a call that failed. */
  readonly number?: number;
  /** Whether the exception is the refusal of a response beyond its limit. */
  readonly tooLarge: boolean;
}

export type ScriptOutcome =
  /** `body` is the JSON text of the response: `""` where the script set nothing. */
  | { readonly kind: "finished"; readonly body: string }
  | { readonly kind: "threw"; readonly exception: ScriptException }
  | { readonly kind: "not-a-function"; readonly reason: string }
  /** The interpreter obeyed the order to stop. */
  | { readonly kind: "stopped" }
  /** The interpreter itself failed and cannot be used again. */
  | { readonly kind: "broken"; readonly reason: string };

/** Returns the response of a script that finished; throws everything else as the CosmosError for the client. */
export function responseOf(outcome: ScriptOutcome, name: string, limits: ScriptLimits): string {
  switch (outcome.kind) {
    case "finished":
      return outcome.body;
    case "threw":
      throw outcome.exception.tooLarge ? tooLarge(outcome.exception) : uncaught(outcome.exception);
    case "not-a-function":
      throw CosmosError.badRequest(
        errorsText(`The body of the stored procedure '${name}' is not one function: ${outcome.reason}`),
      );
    case "stopped":
      throw outOfTime(name, limits);
    case "broken":
      throw CosmosError.badRequest(
        errorsText(`The stored procedure '${name}' broke its interpreter: ${outcome.reason}`),
      );
  }
}

/** Makes the error of a script that did not end within its time. */
export function outOfTime(name: string, limits: ScriptLimits): CosmosError {
  const message = errorsText(
    `The stored procedure '${name}' ran for longer than ${limits.timeMs} ms and was undone. ` +
      "Let it stop when a call of the collection returns false, and call it again.",
  );
  return new CosmosError({ status: 408, code: "RequestTimeout", message });
}

/**
 * Makes the error of an exception. The service answers 400 whatever a script throws; the number of the error is the
 * sub-status. The text is that of docs/reference/cosmos-protocol.md §1.13, out of which clients parse what was
 * thrown.
 */
function uncaught(exception: ScriptException): CosmosError {
  const stack = exception.stack === "" ? "" : `\r\nStack trace: ${exception.text}\n${exception.stack}`;
  const message = errorsText(
    `Encountered exception while executing Javascript. Exception = ${exception.text}${stack}`,
  );
  const { number } = exception;
  return CosmosError.badRequest(message, number === undefined ? {} : { substatus: number });
}

function tooLarge(exception: ScriptException): CosmosError {
  const message = errorsText(exception.text);
  return new CosmosError({ status: 413, code: "RequestEntityTooLarge", message });
}

function errorsText(message: string): string {
  return JSON.stringify({ Errors: [message] });
}
