/** Changes instances one by one, several at a time, with progress; errors of some do not stop the others. */
import { CommandError, EXIT, type ExitCode } from "../errors/exit-code.ts";
import { describe } from "../errors/report-error.ts";
import type { OutputForm } from "../output/form.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import { type NextStep, nextLine } from "../output/next-line.ts";
import { confirm } from "../terminal/confirm.ts";
import { Progress } from "../terminal/progress.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { safeText } from "../text/safe-text.ts";
import { count } from "../text/times.ts";
import type { Targets } from "./targets.ts";

const AT_A_TIME = 16;
const SHOWN_ERRORS = 20;

/** What a verb does with each instance. */
export interface Change {
  /** `instance` by default. */
  readonly noun?: string;
  /** `is asked to end`, for one; behind the id. */
  readonly done: string;
  /** `12 instances` is put in front: `would be asked to end`. */
  readonly question: string;
  /** A sentence behind the question. */
  readonly remark?: string;
  /** Resolves with a text in place of `done`, or with `unchanged` and why. */
  apply(id: string): Promise<string | Unchanged | undefined>;
  next?(ids: readonly string[]): readonly NextStep[];
}

/** The instance is as it was, and that is no error. */
export interface Unchanged {
  readonly unchanged: string;
}

interface Outcome {
  readonly id: string;
  readonly result: "changed" | "unchanged" | "failed";
  readonly text: string;
  readonly exitCode?: ExitCode;
}

interface ChangeCall {
  readonly form: OutputForm;
  readonly terminal: Terminal;
  readonly flags: { readonly yes: boolean; readonly "dry-run": boolean };
}

export async function changeEach(call: ChangeCall, targets: Targets, change: Change): Promise<ExitCode> {
  const { terminal, flags, form } = call;
  const { ids, names } = targets;
  if (ids.length === 0) {
    if (form === "table") terminal.write("No instances match.\n");
    else if (form === "json") terminal.write(formatJson([]));
    return EXIT.ok;
  }
  const noun = `${change.noun ?? "instance"}${ids.length === 1 ? "" : "s"}`;
  const what = targets.single ? safeText(ids[0] ?? "") : `${count(ids.length)} ${noun}`;
  const question = `${what} ${change.question}${names === "" ? "" : ` (${safeText(names)})`}.${change.remark === undefined ? "" : ` ${change.remark}`}`;
  if (flags["dry-run"]) {
    printPlan(terminal, form, question, ids);
    return EXIT.ok;
  }
  await confirm(terminal, question, flags.yes);
  const outcomes = await applyAll(call, ids, change);
  return summarise(call, targets, change, outcomes);
}

function printPlan(terminal: Terminal, form: OutputForm, question: string, ids: readonly string[]): void {
  if (form === "json") terminal.write(formatJson(ids.map((instanceId) => ({ instanceId }))));
  else if (form === "jsonl") for (const instanceId of ids) terminal.write(formatJsonLine({ instanceId }));
  else if (form === "ids") terminal.write(ids.map((id) => `${id}\n`).join(""));
  else terminal.write(`${question} Nothing was changed (--dry-run).\n`);
}

async function applyAll(
  { terminal, form }: ChangeCall,
  ids: readonly string[],
  change: Change,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  using progress = new Progress(terminal, ids.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let id = ids[next++]; id !== undefined && !terminal.interrupted.aborted; id = ids[next++]) {
      const outcome = await applyTo(id, change);
      outcomes.push(outcome);
      if (form === "jsonl") terminal.write(formatJsonLine(jsonOf(outcome)));
      progress.show(outcomes.length);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return outcomes;
}

async function applyTo(id: string, change: Change): Promise<Outcome> {
  try {
    const result = (await change.apply(id)) ?? change.done;
    return typeof result === "string"
      ? { id, result: "changed", text: result }
      : { id, result: "unchanged", text: result.unchanged };
  } catch (error) {
    const { message, exitCode } = describe(error);
    // A store that is gone is gone for all.
    if (exitCode === EXIT.store) throw error;
    return { id, result: "failed", text: message, exitCode };
  }
}

function jsonOf({ id, result, text }: Outcome): object {
  return { instanceId: id, result, detail: text };
}

function summarise(
  { terminal, form }: ChangeCall,
  targets: Targets,
  change: Change,
  outcomes: readonly Outcome[],
): ExitCode {
  const failed = outcomes.filter(({ result }) => result === "failed");
  const changed = outcomes.filter(({ result }) => result === "changed");
  if (form === "json") terminal.write(formatJson(outcomes.map(jsonOf)));
  if (form === "ids") terminal.write(changed.map(({ id }) => `${id}\n`).join(""));
  if (form === "table") printTable(terminal, targets, change, outcomes);
  if (terminal.interrupted.aborted) {
    const left = targets.ids.length - outcomes.length;
    throw new CommandError(
      EXIT.interrupted,
      `Interrupted: ${count(left)} of ${count(targets.ids.length)} were not touched.`,
    );
  }
  if (failed.length === 0) return EXIT.ok;
  return targets.single ? (failed[0]?.exitCode ?? EXIT.failed) : EXIT.partly;
}

function printTable(
  terminal: Terminal,
  targets: Targets,
  change: Change,
  outcomes: readonly Outcome[],
): void {
  const failed = outcomes.filter(({ result }) => result === "failed");
  const changed = outcomes.filter(({ result }) => result === "changed");
  if (outcomes.length <= SHOWN_ERRORS) {
    for (const { id, result, text } of outcomes)
      if (result !== "failed") terminal.write(`${safeText(`${id} ${text}`)}\n`);
  } else {
    const unchanged = outcomes.length - failed.length - changed.length;
    const rest = unchanged === 0 ? "" : `, ${count(unchanged)} unchanged`;
    terminal.write(`${count(changed.length)}/${count(targets.ids.length)} ${change.done}${rest}\n`);
  }
  for (const { id, text } of failed.slice(0, SHOWN_ERRORS)) terminal.note(`${safeText(`${id}: ${text}`)}\n`);
  if (failed.length > SHOWN_ERRORS) terminal.note(`and ${count(failed.length - SHOWN_ERRORS)} more\n`);
  const [first] = changed.length > 0 ? changed : failed;
  const steps = change.next?.(changed.map(({ id }) => id)) ?? [["show", first?.id]];
  const next = nextLine(steps);
  if (next !== "") terminal.write(`${terminal.style("dim", next)}\n`);
}
