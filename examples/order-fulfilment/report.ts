/** The demo's rows, tables and sentences, for 80 columns. */
import type { LedgerLine } from "./ledger.ts";
import { type OrderProgress, recorded, whereItStands } from "./progress.ts";
import { check, type Evidence, interrupted, repetitions } from "./proof.ts";
import { fit, paint } from "./screen.ts";

const MARKS_WIDTH = 14;
const OUTCOME_WIDTH = 27;
export const BEFORE = "■";
export const AFTER = "□";
/** A failed attempt of an activity is a result as well. */
export const FAILED = "×";

/** How many activity results each order had at the kill. */
export type ResultsAtKill = ReadonlyMap<string, number>;

export function resultsByOrder(progress: readonly OrderProgress[]): ResultsAtKill {
  return new Map(progress.map((one) => [one.order.id, recorded([one]).length]));
}

/** One mark for each result, oldest first: those from before the kill are filled. */
export function progressRow(progress: OrderProgress, atKill?: ResultsAtKill): string {
  const { id, customer } = progress.order;
  const results = recorded([progress])
    .flatMap((activity) => activity.results)
    .sort((one, other) => Number(one.timestamp_ms) - Number(other.timestamp_ms));
  const before = atKill?.get(id) ?? results.length;
  const marks = results.map((result, index) => {
    if (result.type === "ActivityFailed") return paint("yellow", FAILED);
    return index < before ? paint("cyan", BEFORE) : paint("green", AFTER);
  });
  const filler = " ".repeat(Math.max(0, MARKS_WIDTH - results.length));
  const step = inColour(progress, fit(progress.step, 29).trimEnd());
  return `   ${id}  ${fit(customer, 20)} ${marks.join("")}${filler}  ${step}`;
}

export function summaryLine(progress: readonly OrderProgress[], elapsedMs: number): string {
  const finished = progress.filter(({ state }) => state === "finished").length;
  const seconds = (elapsedMs / 1000).toFixed(1);
  const results = recorded(progress).length;
  return paint(
    "dim",
    `   ${seconds} s: ${results} activity results recorded, ${finished} of ${progress.length} orders finished`,
  );
}

export function afterTheKill(
  atKill: readonly OrderProgress[],
  ledger: readonly LedgerLine[],
): readonly string[] {
  const count = (state: OrderProgress["state"]): number =>
    atKill.filter((progress) => progress.state === state).length;
  return [
    `   Recorded:     ${recorded(atKill).length} activity results; ${count("finished")} orders are finished,`,
    `                 ${count("running")} under way and ${count("not started")} not started.`,
    `   Interrupted:  ${activities(interrupted(ledger).length)} without a result.`,
  ];
}

export function verdict(evidence: Evidence): { readonly proven: boolean; readonly lines: readonly string[] } {
  const checks = check(evidence);
  const lines = [
    ...resultTable(evidence),
    "",
    "   Undone in the cancelled orders:",
    ...undone(evidence.atEnd),
    "",
    ...checks.map(({ ok, text }) => `   ${ok ? paint("green", "✓") : paint("red", "✗ NOT SO:")} ${text}`),
    "",
    ...describeRepetitions(evidence),
    "   An activity runs at least once; a call that must not take effect twice gets",
    "   an idempotency key.",
  ];
  return { proven: checks.every(({ ok }) => ok), lines };
}

function describeRepetitions(evidence: Evidence): readonly string[] {
  const { interrupted, unrecorded } = repetitions(evidence);
  const lines = [`   Interrupted by the kill and begun again: ${activities(interrupted.length)}.`];
  if (unrecorded.length > 0) {
    lines.push(`   Ended, but begun again as no result was recorded: ${activities(unrecorded.length)}.`);
  }
  return lines;
}

function activities(count: number): string {
  return count === 1 ? "1 activity" : `${count} activities`;
}

function resultTable({ atKill, atEnd }: Evidence): readonly string[] {
  const before = resultsByOrder(atKill);
  const after = resultsByOrder(atEnd);
  const stoodAt = new Map(atKill.map((progress) => [progress.order.id, whereItStands(progress)]));
  return [
    paint("dim", `${" ".repeat(16 + OUTCOME_WIDTH)}results recorded`),
    paint("dim", tableRow("order", fit("outcome", OUTCOME_WIDTH), "before", "after", "resumed at")),
    ...atEnd.map((end) => {
      const { id } = end.order;
      const runBefore = before.get(id) ?? 0;
      const runAfter = (after.get(id) ?? 0) - runBefore;
      const outcome = inColour(end, fit(end.step, OUTCOME_WIDTH));
      return tableRow(id, outcome, String(runBefore), String(runAfter), stoodAt.get(id) ?? "");
    }),
  ];
}

function tableRow(id: string, outcome: string, before: string, after: string, resumedAt: string): string {
  return `   ${id.padEnd(10)}  ${outcome} ${before.padStart(6)} ${after.padStart(5)}  ${fit(resumedAt, 22)}`.trimEnd();
}

/** The compensations that ran. */
function undone(atEnd: readonly OrderProgress[]): readonly string[] {
  const words = new Map([
    ["refundCard", "card refunded"],
    ["releaseStock", "stock released"],
  ]);
  const undoneIn = ({ activities }: OrderProgress): string[] =>
    activities.flatMap(({ name }) => words.get(name) ?? []);
  return atEnd
    .filter((progress) => undoneIn(progress).length > 0)
    .map((progress) => `   ${progress.order.id}  ${undoneIn(progress).join(", ")}`);
}

function inColour({ outcome }: OrderProgress, text: string): string {
  if (outcome === undefined) return text;
  return paint(outcome.status === "delivered" ? "green" : "yellow", text);
}
