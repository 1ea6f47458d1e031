/** One turn of the engine alone: a history and messages in, events and messages out. No store, no runtime. */
import { orchestration } from "../../src/define/definitions.ts";
import { silentLogger } from "../../src/define/logger.ts";
import type { OrchestrationContext } from "../../src/define/orchestration-context.ts";
import { jsonCodec } from "../../src/payload/json-codec.ts";
import type { Program, Surroundings } from "../../src/replay/code/program.ts";
import { HistoryIndex } from "../../src/replay/history/history-index.ts";
import { runTurn, type TurnInput } from "../../src/replay/turn.ts";
import type { TurnResult } from "../../src/replay/turn-result.ts";
import { VirtualClock } from "../../src/testing/index.ts";
import type { EventPayloads, EventType, HistoryEvent } from "../../src/wire/event.ts";
import { DUROXIDE_VERSION } from "../../src/wire/version.ts";
import type { OrchestratorItem } from "../../src/wire/work-item.ts";

export type Body = (ctx: OrchestrationContext, input: unknown) => unknown;

/** A line of a history: type, payload, and what it answers. */
export type Line = {
  [T in EventType]: readonly [type: T, payload: EventPayloads[T], source?: number];
}[EventType];

export const STARTED: Line = [
  "OrchestrationStarted",
  { name: "job", version: "1.0.0", input: "null", parent_instance: null, parent_id: null },
];

/** Numbers the lines from 1; `ids` where they are to be odd. */
export function history(lines: readonly Line[], ids?: readonly number[]): HistoryEvent[] {
  return lines.map(
    ([type, payload, source], index) =>
      ({
        event_id: ids?.[index] ?? index + 1,
        source_event_id: source ?? null,
        instance_id: "i",
        execution_id: 1,
        timestamp_ms: 1_000 + index,
        duroxide_version: DUROXIDE_VERSION,
        type,
        ...(payload as object),
      }) as HistoryEvent,
  );
}

const SURROUNDINGS: Surroundings = {
  clock: new VirtualClock(),
  codec: jsonCodec,
  logger: silentLogger,
  guard: { mode: "off", warn: () => {} },
};

/** A turn from history. */
export async function engineTurn(
  body: Body,
  events: readonly HistoryEvent[],
  messages: readonly OrchestratorItem[] = [],
): Promise<TurnResult> {
  const program = orchestration("job", (ctx, input: unknown) => body(ctx, input));
  return turn(program, { kind: "history", events, index: HistoryIndex.of(events) }, messages);
}

/** The next turn of an execution that has stayed in memory. */
export async function nextTurn(
  { end }: TurnResult,
  messages: readonly OrchestratorItem[],
): Promise<TurnResult> {
  if (end.kind !== "running") throw new Error(`the execution is ${end.kind}`);
  const { memory } = end;
  return turn(memory.live.identity.program, { kind: "memory", memory }, messages);
}

function turn(
  program: Program,
  from: TurnInput["from"],
  messages: readonly OrchestratorItem[],
): Promise<TurnResult> {
  return runTurn({
    instanceId: "i",
    executionId: 1,
    program,
    surroundings: SURROUNDINGS,
    from,
    messages,
    kvSnapshot: new Map(),
  });
}

/** The events that the turn adds, as `type of source`. */
export function added({ delta }: TurnResult): readonly string[] {
  return delta.map(({ type, source_event_id: source }) => (source === null ? type : `${type} of ${source}`));
}
