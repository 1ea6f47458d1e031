/** The steps of a timeline as a table. */
import type { ActivityStep, Step } from "@duroxide-ts/core";
import type { Style, Terminal } from "../terminal/terminal.ts";
import { span } from "../text/times.ts";
import { failureLine } from "./failure-lines.ts";
import { labelText } from "./label-text.ts";
import { type Column, formatTable } from "./table.ts";

const MOST = 200;

const STYLES: Readonly<Record<Step["outcome"], Style | undefined>> = {
  open: "cyan",
  completed: "green",
  failed: "red",
  "timed-out": "red",
  dropped: "dim",
};

/** The last steps, where there are many. */
export function formatSteps(steps: readonly Step[], nowMs: number, terminal: Terminal): string {
  const shown = steps.slice(-MOST);
  const left = steps.length - shown.length;
  const note = left === 0 ? "" : `  ${left} earlier steps are left out; duroxide show -o json has all.\n`;
  return note + formatTable(columns(nowMs), shown, terminal).replaceAll(/^/gm, "  ").trimEnd().concat("\n");
}

function columns(nowMs: number): readonly Column<Step>[] {
  return [
    { head: "#", cell: ({ id }) => String(id), right: true },
    { head: "STEP", cell: (step) => `${nameOf(step)}${labelText(step)}`, flexible: true },
    { head: "STATE", cell: outcomeOf, style: ({ outcome }) => STYLES[outcome] },
    { head: "TOOK", cell: (step) => span((step.endedAtMs ?? nowMs) - step.scheduledAtMs), right: true },
    { head: "", cell: remarkOf, flexible: true },
  ];
}

function nameOf(step: Step): string {
  switch (step.kind) {
    case "activity":
      return step.name;
    case "timer":
      return `timer ${span(step.dueAtMs - step.scheduledAtMs)}`;
    case "child":
      return `child ${step.name}`;
    case "event":
    case "queue":
      return `${step.kind} "${step.name}"`;
    case "system":
      return step.name;
    case "detached":
      return `start ${step.name}`;
    case "message":
      return `send ${step.channel} "${step.name}"`;
    case "question":
      return `question "${step.name}"`;
  }
}

function outcomeOf(step: Step): string {
  const times = step.kind === "activity" && step.attempts.length > 1 ? ` x${step.attempts.length}` : "";
  return `${step.outcome}${times}`;
}

function remarkOf(step: Step): string {
  switch (step.kind) {
    case "activity":
      return activityRemark(step);
    case "child":
      return step.failure === undefined
        ? step.childInstanceId
        : `${step.childInstanceId}: ${failureLine(step.failure)}`;
    case "detached":
      return step.startedInstanceId;
    case "message":
      return step.toInstanceId;
    default:
      return "";
  }
}

function activityRemark({ attempts, failure, outcome }: ActivityStep): string {
  const last = attempts.at(-1);
  const parts: string[] = [];
  if (last?.ran !== undefined) {
    parts.push(`waited ${span(Math.max(0, last.ran.startedAtMs - last.scheduledAtMs))}`);
    parts.push(`worker ${last.ran.workerId}`);
    if (last.ran.delivery > 1) parts.push(`delivery ${last.ran.delivery}`);
  }
  if (failure !== undefined && outcome !== "completed") parts.push(`last: ${failureLine(failure)}`);
  const pauses = attempts.flatMap(({ pause }) =>
    pause === undefined ? [] : [span(pause.untilMs - pause.fromMs)],
  );
  if (pauses.length > 0) parts.push(`pauses ${pauses.join(", ")}`);
  return parts.join(", ");
}
