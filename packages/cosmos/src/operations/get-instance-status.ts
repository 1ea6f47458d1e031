/** What a client waits for, in one point read. */
import {
  decodeErrorDetails,
  type ErrorDetails,
  type ExecutionStatus,
  type InstanceStatus,
  saturatedNumber,
} from "@duroxide-ts/core/stores";
import { READ_PATIENCE_MS, readNamed } from "../store/read-instance.ts";
import type { Store } from "../store/store.ts";

const OPERATION = "getInstanceStatus";

export async function getInstanceStatus(
  store: Store,
  instanceId: string,
): Promise<InstanceStatus | undefined> {
  const instance = await readNamed(store, store.requests.call(OPERATION, READ_PATIENCE_MS), instanceId);
  if (instance === undefined) return undefined;
  const { document, notes } = instance;
  const failure = failureOf(notes.failure);
  return {
    executionId: saturatedNumber(document.currentExecutionId),
    status: document.status as ExecutionStatus,
    output: document.output,
    ...(failure !== undefined && { failure }),
    customStatus: document.customStatus,
    customStatusVersion: saturatedNumber(document.customStatusVersion),
  };
}

/** The output tells of the failure too, so details that cannot be read do not hide the status. */
function failureOf(text: string | undefined): ErrorDetails | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeErrorDetails(text);
  } catch {
    return undefined;
  }
}
