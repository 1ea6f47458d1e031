/**
 * Steps that the record of a stream has forgotten, because more than a hundred have written to it (extend-stream.ES2).
 *
 * - forgotten-step.FS1: The last batch of such a step is of another delivery, unless this one has written before. Whether
 *   it still has the activity is asked of its row.
 */
import { numberedStep, type StreamWriter } from "@duroxide-ts/core/stores";
import { type StepNote, type StreamState, streamNumber } from "../documents/stream.ts";
import type { Work } from "../memory/parts.ts";
import { mayForget } from "./extend-stream.ts";

const LAST = `SELECT TOP 1 c.attempt, c.since FROM c WHERE c.type = 'stream_batch' AND c.executionId = @stream
  AND c.step = @step ORDER BY c.eventId DESC`;

/** The record with the note of the writer's step, where it has lacked that. A first delivery that begins has none. */
export async function withForgotten(
  work: Work,
  instanceId: string,
  before: StreamState,
  writer: StreamWriter,
): Promise<StreamState> {
  const { call, delivery, leastAttempt, written } = writer;
  const isNew = leastAttempt === 1 && written === 0;
  if (isNew || !mayForget(before) || before.steps.some((step) => step.call === call)) return before;
  const step = numberedStep(writer);
  const asked = { "@stream": streamNumber(before.name), "@step": step };
  const [last] = await work.query<Pick<StepNote, "attempt" | "since">>(instanceId, LAST, asked);
  if (last === undefined) return before;
  // forgotten-step.FS1
  const note = { ...last, step, call, delivery: written > 0 ? delivery : "", written };
  return { ...before, steps: [...before.steps, note] };
}
