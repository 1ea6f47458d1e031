/** The key-values that an execution begins with if it repeats the current one. */
import type { KvEntry } from "../../contract/provider.ts";
import type { NoCut } from "../../verbs/cut.ts";
import { changesKeyValues, keyValuesBefore } from "../../verbs/key-values.ts";
import type { InstanceState, VerbTools } from "./revising.ts";

/** Key-values to restore; none if the instance has them already. */
export interface RestoredKeyValues {
  readonly keyValues?: ReadonlyMap<string, KvEntry>;
}

/** Computed only for an execution that has changed them. */
export async function restoredKeyValues(
  tools: VerbTools,
  { info, history }: InstanceState,
): Promise<RestoredKeyValues | NoCut> {
  if (!changesKeyValues(history)) return {};
  const { instanceId, currentExecutionId } = info;
  const read = (executionId: number) => tools.provider.readHistory(instanceId, executionId);
  const keyValues = await keyValuesBefore(read, currentExecutionId, history[0]);
  if (keyValues !== undefined) return { keyValues };
  return {
    refused:
      "it has set key-values, and the history of an earlier execution, with those that it began with, was pruned",
  };
}
