/** Status and sub-status of a fault that answers with an error. */
import type { JsonObject } from "../../protocol/json.ts";
import { count, invalidFault, optionalCount, optionalText } from "./fault-input.ts";

/** The parts of an error's answer. */
export interface ErrorFields {
  readonly status: number;
  readonly substatus?: number;
  readonly retryAfterMs?: number;
  readonly message?: string;
}

export function checkErrorFields(effect: JsonObject): void {
  if (count(effect, "status", 400) > 599) throw invalidFault('"status" is a status of HTTP from 400 to 599.');
  optionalCount(effect, "substatus", 0);
  optionalCount(effect, "retryAfterMs", 0);
  optionalText(effect, "message");
}
