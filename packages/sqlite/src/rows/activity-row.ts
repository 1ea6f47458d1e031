/** An activity as a row of the worker queue. */
import { type ActivityExecute, invalidInput } from "@duroxide-ts/core/stores";
import { encodeWorkItem, toInteger, toLane, toOptionalText, toText } from "./codec.ts";

/** An activity ready to be inserted. */
export interface ActivityRow {
  readonly instanceId: string;
  readonly executionId: number;
  readonly activityId: number;
  readonly lane: string;
  readonly sessionId: string | null;
  readonly workItem: string;
}

export function toActivityRow(operation: string, item: ActivityExecute): ActivityRow {
  if (item.kind !== "ActivityExecute") {
    throw invalidInput(operation, "only an ActivityExecute belongs in the worker queue");
  }
  return {
    instanceId: toText(item.instance),
    executionId: toInteger(item.execution_id),
    activityId: toInteger(item.id),
    lane: toLane(item.tag),
    sessionId: toOptionalText(item.session_id),
    workItem: encodeWorkItem(operation, item),
  };
}
