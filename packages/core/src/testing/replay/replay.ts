/** Replays stored histories with the current code, to check that running instances continue after a deployment. */
import type { KvEntry } from "../../contract/provider.ts";
import type { ExecutionStatus } from "../../contract/status.ts";
import type { AnyOrchestration } from "../../define/orchestration-context.ts";
import { InvalidInputError } from "../../errors/duroxide-error.ts";
import { installPatches } from "../../guard/patches.ts";
import { interceptRejections } from "../../guard/rejections.ts";
import { checkOptions, type OptionList, optionList } from "../../options/option-list.ts";
import { jsonCodec } from "../../payload/json-codec.ts";
import type { PayloadCodec } from "../../payload/payload-codec.ts";
import { HistoryIndex } from "../../replay/history/history-index.ts";
import { runTurn } from "../../replay/turn.ts";
import type { TurnEnd } from "../../replay/turn-result.ts";
import { OrchestrationRegistry, type VersionPolicies } from "../../runtime/registry.ts";
import { displayMessage } from "../../wire/error-details.ts";
import { CarriedKv } from "./carried-kv.ts";
import { compareEnd } from "./compare-end.ts";
import { divergence, followHistory } from "./follow-history.ts";
import { type StoredExecution, storedExecutions } from "./stored-executions.ts";
import { trace } from "./trace.ts";
import type { TracedExecution } from "./traced-execution.ts";

/** The options of a replay. */
export interface ReplayOptions {
  /** The current code, with all versions that the histories use. */
  readonly orchestrations: readonly AnyOrchestration[];
  /** The codec that wrote the histories; JSON by default. */
  readonly codec?: PayloadCodec;
  readonly versionPolicies?: VersionPolicies;
  /**
   * Limit of the runtime that wrote the histories, bytes, for code that saw a payload refused. No limit by default,
   * because a history whose payloads were offloaded has them as a whole.
   */
  readonly maxPayloadBytes?: number;
}

const REPLAY_OPTIONS: OptionList = optionList<ReplayOptions>({
  orchestrations: true,
  codec: true,
  versionPolicies: true,
  maxPayloadBytes: true,
});

/** The result of a replay without a difference. */
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
  /** The calls that the code makes after its history; only for a running execution. */
  readonly next: readonly string[];
}

/**
 * Resolves if the code does what history records, and rejects with ReplayDivergenceError at the first difference. There
 * must be at least one event. `history` is the result of `client.admin.history`, or its JSON, of one or several
 * executions. Only orchestration code runs: every result comes from the history.
 */
export async function replay(
  history: string | readonly unknown[],
  options: ReplayOptions,
): Promise<ReplaySummary> {
  checkOptions("replay", options ?? null, REPLAY_OPTIONS);
  const registry = new OrchestrationRegistry(options.orchestrations, options.versionPolicies);
  const stored = storedExecutions(history);
  if (stored.length === 0)
    throw new InvalidInputError(
      "replay: the history has no event; the export that made it found no instance",
    );
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
  const kv = new CarriedKv();
  for (const execution of stored) {
    executions.push(await replayExecution(execution, registry, options, kv.before(execution)));
  }
  return executions;
}

async function replayExecution(
  stored: StoredExecution,
  registry: OrchestrationRegistry,
  { codec = jsonCodec, maxPayloadBytes }: ReplayOptions,
  kvSnapshot: ReadonlyMap<string, KvEntry>,
): Promise<ReplayedExecution> {
  const { instanceId, executionId, started, events } = stored;
  const execution = trace(
    stored,
    registry,
    { codec, ...(maxPayloadBytes !== undefined && { maxPayloadBytes }) },
    kvSnapshot,
  );
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

/** Runs a turn without messages: finds the calls after history, and detects code that waits for nothing durable. */
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
  const actual = whyStuck(end);
  if (last !== undefined && actual !== undefined) {
    throw divergence(live, last, {
      recorded: "an execution that continues",
      actual,
      location: execution.lastCall?.location,
    });
  }
  return [...calls, ...describeEnd(end)];
}

/** Why a runtime would not run this code. */
function whyStuck(end: TurnEnd): string | undefined {
  if (end.kind === "blocked") return end.detail;
  return end.kind === "failed" && "Configuration" in end.details ? displayMessage(end.details) : undefined;
}

function describeEnd(end: TurnEnd): string[] {
  switch (end.kind) {
    case "running":
    case "blocked":
      return [];
    case "completed":
      return [`return ${end.output}`];
    case "failed":
      return [`throw ${displayMessage(end.details)}`];
    case "continued-as-new":
      return [`continueAsNew with ${end.input}`];
  }
}
