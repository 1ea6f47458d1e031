/** `duroxide show`: what an instance did, what it waits for, why it failed. */
import type { InstanceTimeline } from "@duroxide-ts/core";
import { ProviderError } from "@duroxide-ts/core/client";
import { shownTags, stateWords } from "@duroxide-ts/core/operate";
import { EXECUTION, WATCH } from "../command/flags.ts";
import { type Call, defineVerb, type Verb } from "../command/verb.ts";
import { oneId } from "../command/words.ts";
import { type InstanceView, readInstance } from "../instances/read-instance.ts";
import { showWaitingStart } from "../instances/show-waiting-start.ts";
import { inTime, standing, stateOf, styleOf } from "../instances/state.ts";
import { printAnswer } from "../output/answer.ts";
import { failureLines } from "../output/failure-lines.ts";
import { type Field, formatFields } from "../output/fields.ts";
import type { NextStep } from "../output/next-line.ts";
import { decoded, payloadLine } from "../output/payload.ts";
import { formatSteps } from "../output/steps-table.ts";
import { watched } from "../terminal/watched.ts";
import { safeName, safeText } from "../text/safe-text.ts";
import { counted, exactTime, span, zoneOf } from "../text/times.ts";

const FLAGS = {
  ...EXECUTION,
  tree: { kind: "switch", help: "its children and theirs, with their states" },
  ...WATCH,
} as const;

export const show: Verb = defineVerb({
  name: "show",
  takes: "<id>",
  flags: FLAGS,
  examples: [
    ["show order-42", "state, steps with their attempts, waits and errors"],
    ["show order-42 --tree --watch", "with its children, every two seconds"],
  ],
  run: (call) => watched(call.terminal, call.flags.watch, () => showOnce(call)),
});

async function showOnce(call: Call<typeof FLAGS>): Promise<void> {
  const { flags, words } = call;
  const id = oneId(words, "show <id>");
  const store = await call.store("read");
  const view = await readInstance(store, id, { executionId: flags.execution, tree: flags.tree }).catch(
    async (error: unknown) => {
      if (
        ProviderError.is(error, "instance-not-found") &&
        flags.execution === undefined &&
        (await showWaitingStart(store, id, call))
      )
        return undefined;
      throw error;
    },
  );
  if (view === undefined) return;
  printAnswer(call, { value: jsonOf(view, call), id, text: textOf(view, call), next: nextSteps(view) });
}

function jsonOf(
  { summary, timeline, codec, customStatus, entries, ...rest }: InstanceView,
  { terminal }: Call<typeof FLAGS>,
): object {
  return {
    ...summary,
    state: stateOf(summary, timeline),
    nowMs: terminal.clock.now(),
    timeline,
    ...rest,
    ...(customStatus !== undefined && { customStatus: decoded(customStatus, codec) }),
    entries: entries.map(({ key, value }) => ({ key, value: decoded(value, codec) })),
  };
}

function textOf(view: InstanceView, { terminal }: Call<typeof FLAGS>): string {
  const { summary, timeline } = view;
  const nowMs = terminal.clock.now();
  const state = stateOf(summary, timeline);
  const style = styleOf(state);
  const title = `${safeName(summary.instanceId)}  ${safeText(`${timeline.orchestrationName}@${timeline.orchestrationVersion}`)}`;
  const words = stateWords(state);
  const shownState = style === undefined ? words : terminal.style(style, words);
  const head = `${terminal.style("bold", title)}  ${shownState}${facts(view, nowMs)}\n`;
  const steps =
    timeline.steps.length === 0
      ? ""
      : `${terminal.style("dim", "steps")}\n${formatSteps(timeline.steps, nowMs, terminal)}`;
  const tree = view.tree?.map(
    ({ depth, id, name, state }) =>
      `${"  ".repeat(depth + 1)}${safeText(`${id}  ${name}  ${stateWords(state)}`)}\n`,
  );
  const family = tree === undefined ? "" : `${terminal.style("dim", "tree")}\n${tree.join("")}`;
  return `${head}${formatFields(fieldsOf(view, nowMs), terminal)}${steps}${family}`;
}

function facts(view: InstanceView, nowMs: number): string {
  const { summary, timeline, executionCount } = view;
  const { executionId, eventCount } = timeline;
  const lasted = lastedText(view, nowMs);
  const of = executionCount === undefined ? "" : ` of ${executionCount}`;
  return `${lasted}  (execution ${executionId}${of}, ${counted(eventCount, "event")}, updated ${exactTime(summary.updatedAtMs)} ${zoneOf(nowMs)})`;
}

/** How long it has been in its state, where that is known, and how long the execution has lasted. */
function lastedText({ summary, timeline }: InstanceView, nowMs: number): string {
  const { startedAtMs, endedAtMs, cancelRequested } = timeline;
  if (endedAtMs !== undefined) return ` after ${span(endedAtMs - startedAtMs)}`;
  const state = stateOf(summary, timeline);
  const lasted = `for ${span(nowMs - startedAtMs)}`;
  if (state === "running") return ` ${lasted}`;
  if (state === "scheduled") return "";
  const { suspended, blocked } = summary;
  const sinceMs = state === "cancelling" ? cancelRequested?.atMs : (suspended ?? blocked)?.sinceMs;
  return `${sinceMs === undefined ? "" : ` for ${span(nowMs - sinceMs)}`}, running ${lasted}`;
}

function fieldsOf(
  { summary, timeline, customStatus, entries, children, codec }: InstanceView,
  nowMs: number,
): Field[] {
  const fields: Field[] = [];
  const { input, output, failure, cancelRequested, begunByHand, unread, setAside } = timeline;
  if (summary.parentInstanceId !== undefined) fields.push(["parent", summary.parentInstanceId]);
  if (summary.tags !== undefined) fields.push(["tags", shownTags(summary.tags).join(" ")]);
  if (input !== undefined) fields.push(["input", payloadLine(input, codec)]);
  if (begunByHand !== undefined) fields.push(["by hand", byHandLine(begunByHand)]);
  if (output !== undefined) fields.push(["output", payloadLine(output, codec)]);
  if (cancelRequested !== undefined) fields.push(["cancel", cancelLine(cancelRequested, timeline, nowMs)]);
  if (failure !== undefined) fields.push(["error", ...failureLines(failure)]);
  if (timeline.status === "Running") {
    const waits = standing(summary, timeline, nowMs);
    if (waits !== "") fields.push(["waits", waits, ...deadlines(timeline, nowMs)]);
  }
  if (customStatus !== undefined) fields.push(["status", payloadLine(customStatus, codec)]);
  if (entries.length > 0)
    fields.push(["kv", ...entries.map(({ key, value }) => `${key} = ${payloadLine(value, codec)}`)]);
  if (children.length > 0) fields.push(["children", ...children.map(({ id, state }) => `${id} (${state})`)]);
  if (unread.length > 0) {
    fields.push([
      "unread",
      ...unread.map(({ kind, name, data }) => `${kind} "${name}" ${payloadLine(data, codec, 80)}`),
    ]);
  }
  if (setAside.length > 0) fields.push(["set aside", ...setAside.map((it) => setAsideLine(it, codec))]);
  return fields;
}

function setAsideLine(
  { kind, id, name, data, misfit, replacedBy }: InstanceTimeline["setAside"][number],
  codec: InstanceView["codec"],
): string {
  const then = replacedBy === undefined ? "" : `; delivered again as ${replacedBy}`;
  const { value: why } = decoded(misfit, codec);
  return `${id} ${kind} "${name}" ${payloadLine(data, codec, 80)}: ${String(why)}${then}`;
}

function byHandLine({ verb, of, by, reason, atMs }: NonNullable<InstanceTimeline["begunByHand"]>): string {
  const who = by === undefined ? "" : ` by ${by}`;
  const why = reason === undefined ? "" : `: ${reason}`;
  return `${verb} of execution ${of}${who} at ${exactTime(atMs)}${why}`;
}

function cancelLine(
  { reason, atMs }: NonNullable<InstanceTimeline["cancelRequested"]>,
  { status }: InstanceTimeline,
  nowMs: number,
): string {
  const cleansUp = status === "Running" ? `, ${span(nowMs - atMs)} ago; it cleans up` : "";
  return `${reason} (asked for at ${exactTime(atMs)}${cleansUp})`;
}

/** Time limits of what it waits for. */
function deadlines({ waits }: InstanceTimeline, nowMs: number): string[] {
  return waits.flatMap(({ kind, name, dueAtMs }) =>
    kind === "activity" && dueAtMs !== undefined ? [`time limit of ${name} ${inTime(dueAtMs, nowMs)}`] : [],
  );
}

function nextSteps({ summary, timeline }: InstanceView): readonly NextStep[] {
  const { instanceId: id } = summary;
  const state = stateOf(summary, timeline);
  if (state === "failed" || state === "clean-up-failed")
    return [
      ["retry", id],
      ["history", id],
    ];
  if (summary.suspended !== undefined)
    return [
      ["resume", id],
      ["history", id],
    ];
  // What blocks it has to be mended first; no message helps.
  if (summary.blocked !== undefined) return [["workers"], ["history", id]];
  const isOpen = timeline.status === "Running";
  const misfit = isOpen
    ? timeline.setAside.findLast(({ replacedBy }) => replacedBy === undefined)
    : undefined;
  const wait = timeline.waits.find(({ kind }) => kind === "event" || kind === "queue");
  const steps: NextStep[] = [];
  if (misfit !== undefined) steps.push(["redeliver", id, String(misfit.id), "JSON"]);
  if (wait?.name !== undefined)
    steps.push([wait.kind === "event" ? "raise" : "enqueue", id, wait.name, "JSON"]);
  return [...steps, ["history", id]];
}
