/** Executions of an instance: the current one stands in its document, earlier ones have documents of their own. */
import {
  type ExecutionInfo,
  type ExecutionStatus,
  ProviderError,
  saturatedNumber,
} from "@duroxide-ts/core/stores";
import type { Call } from "../requests/call.ts";
import type { Stored } from "../requests/requests.ts";
import type { Instance } from "../schema/instance.ts";
import { READ_PATIENCE_MS, readInstance } from "../store/read-instance.ts";
import type { Store } from "../store/store.ts";

/** One execution, without its events. */
export interface Execution {
  readonly executionId: number;
  readonly status: ExecutionStatus;
  readonly output: string | null;
  readonly startedAtMs: number;
  readonly completedAtMs: number | undefined;
}

/** What Rust wrote has no documents of executions; their first events tell that there were some. */
const KNOWN = "SELECT * FROM c WHERE c.type = 'execution' OR (c.type = 'history' AND c.eventId = 1)";

/** Ascending by id. */
export async function executionsOf(
  store: Store,
  call: Call,
  instance: Instance,
): Promise<readonly Execution[]> {
  const { instanceId } = instance.document;
  const documents = await store.requests.query(call, instanceId, { query: KNOWN });
  const executions = new Map<number, Execution>();
  for (const document of documents) {
    const id = Number(document["executionId"]);
    if (document["type"] === "execution") executions.set(id, toExecution(document));
    else if (!executions.has(id)) executions.set(id, guessed(id, document));
  }
  const current = currentExecution(instance);
  if (current !== undefined) executions.set(current.executionId, current);
  return [...executions.values()].sort((a, b) => a.executionId - b.executionId);
}

/** `undefined` where nothing of it was committed yet. */
export function currentExecution({ document, notes }: Instance): Execution | undefined {
  if (notes.startedAt === undefined && document.orchestrationName === "" && notes.lastEventId === 0)
    return undefined;
  const status = document.status as ExecutionStatus;
  const updatedAtMs = saturatedNumber(document.updatedAt);
  return {
    executionId: saturatedNumber(document.currentExecutionId),
    status,
    output: document.output,
    startedAtMs: notes.startedAt ?? saturatedNumber(document.createdAt),
    completedAtMs: status === "Running" ? undefined : (notes.completedAt ?? updatedAtMs),
  };
}

function toExecution(document: Stored): Execution {
  const { executionId, status, output, startedAt, completedAt } = document;
  return {
    executionId: Number(executionId),
    status: status as ExecutionStatus,
    output: typeof output === "string" ? output : null,
    startedAtMs: Number(startedAt ?? 0),
    completedAtMs: typeof completedAt === "number" ? completedAt : undefined,
  };
}

/** An execution that is not the current one has ended by continuing as new. */
function guessed(executionId: number, firstEvent: Stored): Execution {
  const writtenAtMs = Number(firstEvent["_ts"]) * 1_000;
  return {
    executionId,
    status: "ContinuedAsNew",
    output: null,
    startedAtMs: writtenAtMs,
    completedAtMs: writtenAtMs,
  };
}

export async function listExecutions(store: Store, instanceId: string): Promise<readonly number[]> {
  const call = store.requests.call("listExecutions", READ_PATIENCE_MS);
  const instance = await readInstance(store, call, instanceId);
  if (instance === undefined) return [];
  return (await executionsOf(store, call, instance)).map(({ executionId }) => executionId);
}

export async function latestExecutionId(store: Store, instanceId: string): Promise<number> {
  const call = store.requests.call("latestExecutionId", READ_PATIENCE_MS);
  const instance = await readInstance(store, call, instanceId);
  return instance === undefined ? 1 : saturatedNumber(instance.document.currentExecutionId);
}

const COUNT = "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'history' AND c.executionId = @execution";

export async function getExecutionInfo(
  store: Store,
  instanceId: string,
  executionId: number,
): Promise<ExecutionInfo> {
  const operation = "getExecutionInfo";
  const call = store.requests.call(operation, READ_PATIENCE_MS);
  const instance = await readInstance(store, call, instanceId);
  const executions = instance === undefined ? [] : await executionsOf(store, call, instance);
  const execution = executions.find((each) => each.executionId === executionId);
  if (execution === undefined) throw ProviderError.notFound(operation, instanceId, executionId);
  const counts = await store.requests.query<number>(call, instanceId, {
    query: COUNT,
    parameters: [{ name: "@execution", value: executionId }],
  });
  const { completedAtMs, ...info } = execution;
  const eventCount = counts.reduce((sum, count) => sum + count, 0);
  return { ...info, eventCount, ...(completedAtMs !== undefined && { completedAtMs }) };
}
