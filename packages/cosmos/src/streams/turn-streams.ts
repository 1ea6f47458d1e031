/** The part of a commit that is for streams: their records under their ETags, and new batches. */
import { hasEnded, invalidInput, type StreamChange, saturatedNumber } from "@duroxide-ts/core/stores";
import { type Instance, statusOf } from "../documents/instance.ts";
import { batchBody, emptyStream, type StreamState, streamBody, toStreamState } from "../documents/stream.ts";
import type { Work } from "../memory/parts.ts";
import { type BatchOperation, sizeOf } from "../service/batch.ts";
import { extendStream } from "./extend-stream.ts";
import { forgetStream, knownStream, wroteStream } from "./known-streams.ts";

/** The decision of a staged commit holds them, beside the instance document and the intent. */
const MOST_BYTES = 1_400_000;
const MOST_OPERATIONS = 50;

/** The values that a turn writes to streams, and what it takes to write them. */
export interface TurnStreams {
  readonly changes: readonly StreamChange[];
  readonly instance: Instance;
  /** Whether an ended instance goes on, whose closed streams are opened. */
  readonly opens: boolean;
}

/** Undefined where the turn writes nothing. */
export function turnStreams(
  instance: Instance,
  {
    streams = [],
    executionId,
  }: { readonly streams: readonly StreamChange[] | undefined; readonly executionId: number },
): TurnStreams | undefined {
  const begins = executionId > saturatedNumber(instance.document.currentExecutionId);
  const opens = begins && hasEnded(statusOf(instance).status);
  return streams.length === 0 && !opens ? undefined : { changes: streams, instance, opens };
}

const CLOSED = "SELECT * FROM c WHERE c.type = 'stream' AND c.closed = true";

/** The operations as of now. `invalid-input` for more than a commit can hold. */
export async function streamOperations(
  work: Work,
  { changes, instance, opens }: TurnStreams,
): Promise<readonly BatchOperation[]> {
  const { instanceId } = instance.document;
  const states = new Map<string, StreamState>();
  if (opens) {
    for (const stored of await work.query(instanceId, CLOSED)) {
      const state = toStreamState(stored as never);
      states.set(state.name, { ...state, closed: false });
    }
  }
  const batches: BatchOperation[] = [];
  for (const change of changes) {
    const { stream } = change;
    // An instance that is not stored has no streams, whatever one of its id had before.
    const before =
      states.get(stream) ??
      (instance.etag === "" ? emptyStream(stream) : await knownStream(work, instanceId, stream));
    if (before.closed) continue;
    const { state, parts } = extendStream(before, change);
    states.set(stream, state);
    batches.push(
      ...parts.map((part): BatchOperation => ({ kind: "upsert", body: batchBody(instanceId, stream, part) })),
    );
  }
  const operations = [...[...states.values()].map((state) => recordOperation(instanceId, state)), ...batches];
  const bytes = operations.reduce((total, operation) => total + sizeOf(operation), 0);
  if (bytes <= MOST_BYTES && operations.length <= MOST_OPERATIONS) return operations;
  throw invalidInput(
    work.operation,
    `the turn writes ${bytes} bytes in ${operations.length} documents to streams, more than a commit of Azure Cosmos DB holds; write large values from activities, or over several turns`,
  );
}

function recordOperation(instanceId: string, state: StreamState): BatchOperation {
  const body = streamBody(instanceId, state);
  if (state.etag === "") return { kind: "create", body };
  return { kind: "replace", id: String(body["id"]), body, ifMatch: state.etag };
}

/** Whether the refusal of the operation means that another writer has changed a stream. */
export function isStreamRecord(operation: BatchOperation): boolean {
  return "body" in operation && operation.body["type"] === "stream";
}

/** Another writer has changed one of them, or nobody knows whether they were written. */
export function forgetStreams(work: Work, instanceId: string, operations: readonly BatchOperation[]): void {
  for (const operation of operations)
    if ("body" in operation && isStreamRecord(operation))
      forgetStream(work, instanceId, String(operation.body["name"]));
}

/** They are stored with the commit, under these ETags; readers are told. */
export function wroteStreams(
  work: Work,
  instanceId: string,
  operations: readonly BatchOperation[],
  etagOf: (id: string) => string | undefined,
): void {
  for (const operation of operations) {
    if (!("body" in operation) || !isStreamRecord(operation)) continue;
    const etag = etagOf(String(operation.body["id"])) ?? "";
    wroteStream(work, instanceId, toStreamState({ ...operation.body, _etag: etag } as never), etag);
  }
}
