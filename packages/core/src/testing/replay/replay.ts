/** Stored histories against today's code: would the instances that run now go on after this deployment? */
import type { KvEntry } from "../../contract/provider.ts";
import type { ExecutionStatus } from "../../contract/status.ts";
import type { AnyOrchestration } from "../../define/orchestration-context.ts";
import { installPatches } from "../../guard/patches.ts";
import { interceptRejections } from "../../guard/rejections.ts";
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";
import { jsonCodec } from "../../payload/json-codec.ts";
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import { HistoryIndex } from "../../replay/history/history-index.ts";
import { runTurn, type TurnEnd } from "../../replay/turn.ts";
import { OrchestrationRegistry, type VersionPolicies } from "../../runtime/registry.ts";
import { displayMessage } from "../../wire/error-details.ts";
import { carryKv } from "./carried-kv.ts";
import { compareEnd } from "./compare-end.ts";
import { divergence, followHistory } from "./follow-history.ts";
import { type StoredExecution, storedExecutions } from "./stored-executions.ts";
import { trace } from "./trace.ts";
import type { TracedExecution } from "./traced-execution.ts";

/** What a history is replayed with. */
export interface ReplayOptions {
  /** Today's code, all versions that the histories were made with included. */
  readonly orchestrations: readonly AnyOrchestration[];
  /** The codec that the histories were written with; JSON by default. */
  readonly codec?: PayloadCodec;
  readonly versionPolicies?: VersionPolicies;
}

const REPLAY_OPTIONS: OptionList = optionList<ReplayOptions>({
  orchestrations: true,
  codec: true,
  versionPolicies: true,
});

/** What a replay found when code and history agree. */
export interface ReplaySummary {
  /** One for each execution in the history, in order. */
  readonly executions: readonly ReplayedExecution[];
}

/** One execution of the history. */
export interface ReplayedExecution {
  readonly instanceId: string;
  readonly executionId: number;
  readonly orchestrationName: string;
  readonly orchestrationVersion: string;
  readonly eventCount: number;
  readonly status: ExecutionStatus;
  /** What the code would do next that history does not have yet; only where the execution still runs. */
  readonly next: readonly string[];
}

/**
 * Resolves when the code does what history says, and rejects with ReplayDivergenceError at the first difference.
 * `history` is what `client.admin.history` returns, or its JSON, of one execution or of several together. Nothing
 * but orchestration code runs: every answer comes from the history.
 */
export async function replay(
  history: string | readonly unknown[],
  options: ReplayOptions,
): Promise<ReplaySummary> {
  checkOptions("replay", options, REPLAY_OPTIONS);
  const registry = new OrchestrationRegistry(options.orchestrations, options.versionPolicies);
  const stored = storedExecutions(history);
  const removePatches = installPatches();
  const passRejections = interceptRejections();
  try {
    return { executions: await replayAll(stored, registry, options) };
  } finally {
    removePatches();
    passRejections();
  }
}

async function replayAll(
  stored: readonly StoredExecution[],
  registry: OrchestrationRegistry,
  options: ReplayOptions,
): Promise<ReplayedExecution[]> {
  const executions: ReplayedExecution[] = [];
  const kv = new Map<string, ReadonlyMap<string, KvEntry>>();
  for (const execution of stored) {
    const { instanceId, events } = execution;
    const kvSnapshot = kv.get(instanceId) ?? new Map();
    executions.push(await replayExecution(execution, registry, options, kvSnapshot));
    kv.set(instanceId, carryKv(kvSnapshot, events));
  }
  return executions;
}

async function replayExecution(
  stored: StoredExecution,
  registry: OrchestrationRegistry,
  { codec = jsonCodec }: ReplayOptions,
  kvSnapshot: ReadonlyMap<string, KvEntry>,
): Promise<ReplayedExecution> {
  const { instanceId, executionId, started, events } = stored;
  const execution = trace(stored, registry, codec, kvSnapshot);
  const terminal = await followHistory(execution, events);
  const next = terminal === undefined ? await whatComesNext(execution, stored, kvSnapshot) : [];
  if (terminal !== undefined) compareEnd(execution, terminal, HistoryIndex.of(events).timedOut);
  execution.live.dispose();
  return {
    instanceId,
    executionId,
    orchestrationName: started.name,
    orchestrationVersion: started.version,
    eventCount: events.length,
    status: STATUS[terminal?.type ?? ""] ?? "Running",
    next,
  };
}

const STATUS: Readonly<Record<string, ExecutionStatus>> = {
  OrchestrationCompleted: "Completed",
  OrchestrationFailed: "Failed",
  OrchestrationContinuedAsNew: "ContinuedAsNew",
};

/** A turn without news: it does what the code asks for beyond history, and notices if the code waits for nothing durable. */
async function whatComesNext(
  execution: TracedExecution,
  { instanceId, executionId, events }: StoredExecution,
  kvSnapshot: ReadonlyMap<string, KvEntry>,
): Promise<readonly string[]> {
  const { live } = execution;
  const calls = execution.unrecorded.map(({ kind, request }) => kind.describe(request));
  const { end } = await runTurn({
    instanceId,
    executionId,
    program: live.identity.program,
    surroundings: live.surroundings,
    from: { kind: "memory", memory: { index: HistoryIndex.of(events), live } },
    messages: [],
    kvSnapshot,
  });
  const last = events.at(-1);
  if (last !== undefined && end.kind === "failed" && "Configuration" in end.details) {
    const actual = displayMessage(end.details);
    throw divergence(live, last, {
      recorded: "an execution that goes on",
      actual,
      location: execution.lastCall?.location,
    });
  }
  return [...calls, ...describeEnd(end)];
}

function describeEnd(end: TurnEnd): string[] {
  switch (end.kind) {
    case "running":
      return [];
    case "completed":
      return [`return ${end.output}`];
    case "failed":
      return [`throw ${displayMessage(end.details)}`];
    case "continued-as-new":
      return [`continueAsNew with ${end.input}`];
    case "blocked":
      return [`block: ${end.detail}`];
  }
}
