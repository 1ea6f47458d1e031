/** Prints for `duroxide show` a start that no process has taken. */
import { readWaitingStart } from "@duroxide-ts/core/operate";
import { type AnswerCall, printAnswer } from "../output/answer.ts";
import { type Field, formatFields } from "../output/fields.ts";
import type { OpenStore } from "../store/open-store.ts";
import { safeText } from "../text/safe-text.ts";
import { span } from "../text/times.ts";
import { inTime } from "./state.ts";

/** Resolves with `false` if there is none. */
export async function showWaitingStart(store: OpenStore, id: string, call: AnswerCall): Promise<boolean> {
  const { terminal } = call;
  const nowMs = terminal.clock.now();
  const start = await readWaitingStart(store.client, id, nowMs);
  if (start === undefined) return false;
  const { orchestrationName, blocked, startsAtMs, cancelRequested } = start;
  const title = terminal.style("bold", safeText(`${id}  ${orchestrationName}`));
  const waits =
    blocked === undefined
      ? "a process with its orchestration"
      : `blocked for ${span(nowMs - blocked.sinceMs)} (${blocked.reason}): ${blocked.detail}`;
  const fields: readonly Field[] = [
    ...(startsAtMs === undefined ? [] : [["start", inTime(startsAtMs, nowMs)] as const]),
    ["waits", waits],
    ...(cancelRequested ? ([["cancel", "asked for"]] as const) : []),
  ];
  printAnswer(call, {
    value: { ...start, state: "not-begun", nowMs },
    id,
    text: `${title}  not begun (its start is in the queue)\n${formatFields(fields, terminal)}`,
    next: cancelRequested ? [["workers"]] : [["workers"], ["cancel", id]],
  });
  return true;
}
