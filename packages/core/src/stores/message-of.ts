import { isError } from "../errors/thrown-value.ts";

/** The message of an error, or any other thrown value as text. */
export function messageOf(error: unknown): string {
  return isError(error) ? error.message : String(error);
}
