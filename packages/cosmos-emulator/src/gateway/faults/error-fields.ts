/** Status and sub-status of a fault that answers with an error. */
import type { JsonObject } from "../../protocol/json.ts";
import { count, invalidFault, optionalCount, optionalText } from "./fault-input.ts";

/** What an error answers. */
export interface ErrorFields {
  readonly status: number;
  readonly substatus?: number;
  readonly retryAfterMs?: number;
  readonly message?: string;
}

export function parseErrorFields(effect: JsonObject): ErrorFields {
  const status = count(effect, "status", 400);
  if (status > 599) throw invalidFault('"status" is a status of HTTP from 400 to 599.');
  const substatus = optionalCount(effect, "substatus", 0);
  const retryAfterMs = optionalCount(effect, "retryAfterMs", 0);
  const message = optionalText(effect, "message");
  return {
    status,
    ...(substatus === undefined ? {} : { substatus }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(message === undefined ? {} : { message }),
  };
}
