/** Reads what was recorded of the Rust runtime: the calls that it made to its provider, in order. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type {
  AbandonOptions,
  ActivityId,
  ExecutionMetadata,
  FetchedOrchestration,
  OrchestrationAck,
} from "../../src/contract/provider.ts";
import { decodeEvent, decodeWorkItem } from "../../src/wire/codec.ts";
import { parseSemver } from "../../src/wire/version.ts";
import type { ActivityExecute, OrchestratorItem } from "../../src/wire/work-item.ts";

const TRACES = join(import.meta.dirname, "../vectors/traces");

/** One fetch, and what the Rust runtime answered it with. */
export interface RecordedTurn {
  readonly fetched: FetchedOrchestration;
  readonly answer: RecordedAck | RecordedAbandon;
}

export type RecordedAck = { readonly kind: "ack" } & OrchestrationAck;
export type RecordedAbandon = { readonly kind: "abandon" } & AbandonOptions;

interface TraceLine {
  readonly call: string;
  readonly args: Record<string, unknown> & { readonly lockToken?: string };
  readonly result: { readonly ok?: unknown };
}

export function recordedTurns(name: string): RecordedTurn[] {
  const lines = readFileSync(join(TRACES, `${name}.jsonl`), "utf8")
    .trim()
    .split("\n");
  const calls = lines.map((line) => JSON.parse(line) as TraceLine);
  return calls
    .filter(({ call }) => call === "fetch_orchestration_item")
    .map((fetch) => {
      const fetched = readFetch(fetch.result.ok as WireFetch);
      return { fetched, answer: readAnswer(calls, fetched.lockToken) };
    });
}

interface WireFetch {
  readonly lockToken: string;
  readonly attemptCount: number;
  readonly item: {
    readonly instance: string;
    readonly orchestrationName: string;
    readonly executionId: number;
    readonly version: string;
    readonly history: readonly unknown[];
    readonly messages: readonly unknown[];
    readonly historyError: string | null;
    readonly kvSnapshot: readonly WireKvEntry[];
  };
}

interface WireKvEntry {
  readonly key: string;
  readonly value: string;
  readonly lastUpdatedAtMs: number;
}

function readFetch({ lockToken, attemptCount, item }: WireFetch): FetchedOrchestration {
  const { historyError } = item;
  return {
    lockToken,
    attemptCount,
    item: {
      instanceId: item.instance,
      orchestrationName: item.orchestrationName,
      version: item.version,
      executionId: item.executionId,
      history: historyError === null ? item.history.map((event) => decodeEvent(JSON.stringify(event))) : [],
      messages: item.messages.map(orchestratorItem),
      ...(historyError !== null && { historyError }),
      kvSnapshot: new Map(item.kvSnapshot.map((entry) => [entry.key, entry])),
    },
  };
}

function readAnswer(calls: readonly TraceLine[], lockToken: string): RecordedAck | RecordedAbandon {
  const ack = calls.find(
    ({ call, args }) => call === "ack_orchestration_item" && args.lockToken === lockToken,
  );
  if (ack !== undefined) return { kind: "ack", ...readAck(ack.args as unknown as WireAck) };
  const abandon = calls.find(
    ({ call, args }) => call === "abandon_orchestration_item" && args.lockToken === lockToken,
  );
  return {
    kind: "abandon",
    delayMs: Number(abandon?.args["delayMs"]),
    ignoreAttempt: abandon?.args["ignoreAttempt"] === true,
  };
}

interface WireAck {
  readonly lockToken: string;
  readonly executionId: number;
  readonly historyDelta: readonly unknown[];
  readonly workerItems: readonly unknown[];
  readonly orchestratorItems: readonly unknown[];
  readonly metadata: Readonly<Record<keyof WireMetadata, string | null>>;
  readonly cancelledActivities: readonly WireActivityId[];
}

interface WireMetadata {
  status: string;
  output: string;
  orchestrationName: string;
  orchestrationVersion: string;
  parentInstanceId: string;
  pinnedDuroxideVersion: string;
}

interface WireActivityId {
  readonly instance: string;
  readonly executionId: number;
  readonly activityId: number;
}

function readAck(ack: WireAck): OrchestrationAck {
  return {
    lockToken: ack.lockToken,
    executionId: ack.executionId,
    historyDelta: ack.historyDelta.map((event) => decodeEvent(JSON.stringify(event))),
    workerItems: ack.workerItems.map((item) => decodeWorkItem(JSON.stringify(item)) as ActivityExecute),
    orchestratorItems: ack.orchestratorItems.map(orchestratorItem),
    metadata: readMetadata(ack.metadata),
    cancelledActivities: ack.cancelledActivities.map(
      ({ instance, executionId, activityId }): ActivityId => ({
        instanceId: instance,
        executionId,
        activityId,
      }),
    ),
  };
}

function readMetadata(wire: WireAck["metadata"]): ExecutionMetadata {
  const pinnedVersion = parseSemver(wire.pinnedDuroxideVersion ?? "");
  return {
    ...(wire.status !== null && {
      status: wire.status as NonNullable<ExecutionMetadata["status"]>,
      output: wire.output,
    }),
    ...(wire.orchestrationName !== null && { orchestrationName: wire.orchestrationName }),
    ...(wire.orchestrationVersion !== null && { orchestrationVersion: wire.orchestrationVersion }),
    ...(wire.parentInstanceId !== null && { parentInstanceId: wire.parentInstanceId }),
    ...(pinnedVersion !== undefined && { pinnedVersion }),
  };
}

function orchestratorItem(item: unknown): OrchestratorItem {
  return decodeWorkItem(JSON.stringify(item)) as OrchestratorItem;
}
