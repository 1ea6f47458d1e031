/**
 * Executions of an instance: its document has the current one, earlier ones have documents of their own. After turns of
 * a Rust process, notes and records may be missing or outdated. The first events then show which executions there
 * were, and their histories how they ended.
 */
import type { ExecutionInfo, ExecutionStatus } from "@duroxide-ts/core";
import { saturatedNumber, toPositiveId, WireError, withoutLargeOutput } from "@duroxide-ts/core/stores";
import { recordedExecutions } from "../commit/recorded-execution.ts";
import type { Stored } from "../documents/body.ts";
import { toEvents } from "../documents/history.ts";
import { type Instance, statusOf } from "../documents/instance.ts";
import { readInstance } from "../leases/read-instance.ts";
import { type Parts, Work } from "../memory/parts.ts";
import { READ_TIMEOUT_MS } from "../memory/waits.ts";

/** One execution, without its events. */
export interface Execution {
  readonly executionId: number;
  readonly status: ExecutionStatus;
  readonly output: string | null;
  readonly startedAtMs: number;
  readonly completedAtMs: number | undefined;
  /** Whether its end is an estimate, which its history may correct. */
  readonly isGuess: boolean;
}

const KNOWN = "SELECT * FROM c WHERE c.type = 'execution' OR (c.type = 'history' AND c.eventId = 1)";

/** Ascending by id. */
export async function executionsOf(work: Work, instance: Instance): Promise<readonly Execution[]> {
  const documents = await work.query(instance.document.instanceId, KNOWN);
  const records = byExecution(documents.filter(({ type }) => type === "execution"));
  const firstEvents = byExecution(documents.filter(({ type }) => type === "history"));
  const firstEventMs = (id: number): number | undefined => timeOf(firstEvents.get(id));
  const current = currentExecution(instance, firstEventMs);
  const earlier = [...new Set([...records.keys(), ...firstEvents.keys()])]
    .filter((id) => id !== current?.executionId)
    .map((id) => earlierExecution(id, records.get(id), firstEventMs));
  const executions = current === undefined ? earlier : [...earlier, current];
  return executions.sort((a, b) => a.executionId - b.executionId);
}

function byExecution(documents: readonly Stored[]): ReadonlyMap<number, Stored> {
  return new Map(documents.map((document) => [Number(document["executionId"]), document]));
}

/** Whether a turn of the current execution was committed. */
export function hasBegun({ document, notes }: Instance): boolean {
  return notes.startedAt !== undefined || document.orchestrationName !== "" || notes.lastEventId !== 0;
}

/** `undefined` if no turn of it was committed yet. */
function currentExecution(
  instance: Instance,
  firstEventMs: (executionId: number) => number | undefined,
): Execution | undefined {
  const { document, notes } = instance;
  if (!hasBegun(instance)) return undefined;
  const { status, output } = statusOf(instance);
  const executionId = saturatedNumber(document.currentExecutionId);
  return {
    executionId,
    status: status as ExecutionStatus,
    output,
    startedAtMs: notes.startedAt ?? firstEventMs(executionId) ?? saturatedNumber(document.createdAt),
    completedAtMs:
      status === "Running" ? undefined : (notes.completedAt ?? saturatedNumber(document.updatedAt)),
    isGuess: notes.startedAt === undefined || (status !== "Running" && notes.completedAt === undefined),
  };
}

/** An execution without a record was ended by Rust, when the next one began according to the first events. */
function earlierExecution(
  executionId: number,
  record: Stored | undefined,
  firstEventMs: (executionId: number) => number | undefined,
): Execution {
  const status = record?.["status"] ?? "ContinuedAsNew";
  const output = record?.["output"];
  const startedAt = record?.["startedAt"];
  const completedAt = record?.["completedAt"];
  const isRunning = status === "Running";
  const startedAtMs = typeof startedAt === "number" ? startedAt : (firstEventMs(executionId) ?? 0);
  const endedAtMs =
    typeof completedAt === "number" ? completedAt : (firstEventMs(executionId + 1) ?? startedAtMs);
  return {
    executionId,
    status: status as ExecutionStatus,
    output: typeof output === "string" ? output : null,
    startedAtMs,
    completedAtMs: isRunning ? undefined : endedAtMs,
    isGuess: isRunning || typeof startedAt !== "number" || typeof completedAt !== "number",
  };
}

/** Replaces estimates by the ends that the histories record. */
export async function certainly(
  work: Work,
  { document: { instanceId } }: Instance,
  executions: readonly Execution[],
): Promise<readonly Execution[]> {
  const guesses = executions.filter(({ isGuess }) => isGuess).map(({ executionId }) => executionId);
  if (guesses.length === 0) return executions;
  const recorded = await recordedExecutions(work, instanceId, guesses);
  return executions.map((execution) => {
    const known = execution.isGuess ? recorded.get(execution.executionId) : undefined;
    if (known === undefined) return execution;
    const { startedAtMs = execution.startedAtMs, end } = known;
    const ended = end && { status: end.status, output: end.output, completedAtMs: end.atMs };
    return { ...execution, startedAtMs, ...ended };
  });
}

/** The time of the event; if it cannot be decoded, the time at which it was written. */
function timeOf(document: Stored | undefined): number | undefined {
  if (document === undefined) return undefined;
  try {
    const [event] = toEvents([document]);
    return event && saturatedNumber(event.timestamp_ms);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return Number(document["_ts"]) * 1_000;
  }
}

const COUNTS = `SELECT c.executionId, COUNT(1) AS count FROM c
  WHERE c.type = 'history' GROUP BY c.executionId`;

const COUNT = `SELECT c.executionId, COUNT(1) AS count FROM c
  WHERE c.type = 'history' AND c.executionId = @execution GROUP BY c.executionId`;

interface Counted {
  readonly executionId: number;
  readonly count: number;
}

export async function listExecutions(
  parts: Parts,
  instanceId: string,
  only?: number,
): Promise<readonly ExecutionInfo[]> {
  const operation = "listExecutions";
  if (only !== undefined) toPositiveId(operation, "executionId", only);
  const work = new Work(parts, operation, READ_TIMEOUT_MS);
  const instance = await readInstance(work, instanceId);
  if (instance === undefined) return [];
  const all = await executionsOf(work, instance);
  const asked = only === undefined ? all : all.filter(({ executionId }) => executionId === only);
  if (asked.length === 0) return [];
  const executions = await certainly(work, instance, asked);
  const counted =
    only === undefined
      ? await work.query<Counted>(instanceId, COUNTS)
      : await work.query<Counted>(instanceId, COUNT, { "@execution": only });
  const events = new Map<number, number>();
  for (const { executionId, count } of counted)
    events.set(executionId, (events.get(executionId) ?? 0) + count);
  return executions.map(({ completedAtMs, isGuess: _, ...execution }) => {
    const info = { ...execution, eventCount: events.get(execution.executionId) ?? 0 };
    const whole = { ...info, ...(completedAtMs !== undefined && { completedAtMs }) };
    return only === undefined ? withoutLargeOutput(whole) : whole;
  });
}
