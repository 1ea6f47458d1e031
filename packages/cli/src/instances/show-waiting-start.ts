/** Prints for `duroxide show` a start that no process has taken. */
import { readWaitingStart } from "@duroxide-ts/core/operate";
import { formatFields } from "../output/fields.ts";
import type { OutputForm } from "../output/form.ts";
import { idLine } from "../output/id-line.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import { nextLine } from "../output/next-line.ts";
import type { OpenStore } from "../store/open-store.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { safeText } from "../text/safe-text.ts";
import { span } from "../text/times.ts";
import { inTime } from "./state.ts";

/** Resolves with `false` if there is none. */
export async function showWaitingStart(
  store: OpenStore,
  id: string,
  { form, terminal }: { readonly form: OutputForm; readonly terminal: Terminal },
): Promise<boolean> {
  const nowMs = terminal.clock.now();
  const start = await readWaitingStart(store.client, id, nowMs);
  if (start === undefined) return false;
  if (form === "ids") terminal.write(`${idLine(id)}\n`);
  else if (form !== "table") {
    const value = { ...start, state: "not-begun", nowMs };
    terminal.write((form === "json" ? formatJson : formatJsonLine)(value));
  } else {
    const { orchestrationName, blocked, startsAtMs, cancelRequested } = start;
    terminal.write(
      `${terminal.style("bold", safeText(`${id}  ${orchestrationName}`))}  not begun (its start is in the queue)\n`,
    );
    const waits =
      blocked === undefined
        ? "a process with its orchestration"
        : `blocked for ${span(nowMs - blocked.sinceMs)} (${blocked.reason}): ${blocked.detail}`;
    terminal.write(
      formatFields(
        [
          ...(startsAtMs === undefined ? [] : [["start", inTime(startsAtMs, nowMs)] as const]),
          ["waits", waits],
          ...(cancelRequested ? ([["cancel", "asked for"]] as const) : []),
        ],
        terminal,
      ),
    );
    const steps = cancelRequested ? [["workers"]] : [["workers"], ["cancel", id]];
    terminal.write(`${terminal.style("dim", nextLine(steps))}\n`);
  }
  return true;
}
