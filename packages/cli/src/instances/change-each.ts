/**
 * Changes instances one by one, several at a time, with progress; errors of some do not stop the others. After a call
 * that was killed, the same command continues where it ended (journal.ts).
 */
import { CommandError, EXIT, type ExitCode } from "../errors/exit-code.ts";
import { describe } from "../errors/report-error.ts";
import { writeNext } from "../output/answer.ts";
import type { OutputForm } from "../output/form.ts";
import { idLine } from "../output/id-line.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import type { NextStep } from "../output/next-line.ts";
import { confirm } from "../terminal/confirm.ts";
import { Progress } from "../terminal/progress.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { safeName, safeText } from "../text/safe-text.ts";
import { count } from "../text/times.ts";
import { userFolder } from "../user-folder.ts";
import { Journal } from "./journal.ts";
import type { Targets } from "./targets.ts";

const AT_A_TIME = 16;
const SHOWN_ERRORS = 20;

/** The change that a verb makes to each instance. */
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
  /**
   * Whether an earlier call has changed the instance, if that call was ended while it did. Without it the instance is
   * changed again, which every verb refuses, or takes as no change.
   */
  wasChanged?(id: string): Promise<boolean>;
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
  readonly flags: { readonly yes: boolean; readonly "dry-run": boolean; readonly anew?: boolean };
}

/** The instances that are left, and what is known of the others. */
interface Work {
  readonly call: ChangeCall;
  readonly change: Change;
  readonly ids: readonly string[];
  /** Changed by an earlier call of the same command. */
  readonly earlier: number;
  readonly journal: Journal | undefined;
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
  const what = targets.single ? safeName(ids[0] ?? "") : `${count(ids.length)} ${noun}`;
  const question = `${what} ${change.question}${names === "" ? "" : ` (${safeText(names)})`}.${change.remark === undefined ? "" : ` ${change.remark}`}`;
  if (flags["dry-run"]) {
    printPlan(terminal, form, question, ids);
    return EXIT.ok;
  }
  using journal = openJournal(call, targets);
  const left = ids.filter((id) => journal?.done.has(id) !== true);
  const work = { call, change, ids: left, earlier: ids.length - left.length, journal };
  if (work.earlier > 0) tellEarlier(terminal, work, flags.yes);
  await confirm(terminal, `${question}${earlierText(work)}`, flags.yes);
  const outcomes = await applyAll(work);
  if (!terminal.interrupted.aborted) journal?.over();
  return summarise(work, targets, outcomes);
}

/** Opens the journal; none for one instance, which leaves nothing to go on with. */
function openJournal({ terminal, flags }: ChangeCall, { key, single }: Targets): Journal | undefined {
  if (key === undefined || single) return undefined;
  try {
    const folder = userFolder(terminal.environment, "state");
    return new Journal(folder, key, terminal.clock.now(), { anew: flags.anew === true });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    terminal.note(`Progress is not kept: ${safeText((error as Error).message)}\n`);
    return undefined;
  }
}

function earlierText({ earlier, ids }: Work): string {
  if (earlier === 0) return "";
  return ` An earlier call of this command, which was ended, has done ${count(earlier)}; ${count(ids.length)} are left (--anew begins again).`;
}

/** Tells of an earlier call. Without a question (`--yes`), this is the only place where the user reads it. */
function tellEarlier(terminal: Terminal, work: Work, isSure: boolean): void {
  if (isSure) terminal.note(`${earlierText(work).trim()}\n`);
}

function printPlan(terminal: Terminal, form: OutputForm, question: string, ids: readonly string[]): void {
  if (form === "json") terminal.write(formatJson(ids.map((instanceId) => ({ instanceId }))));
  else if (form === "jsonl") for (const instanceId of ids) terminal.write(formatJsonLine({ instanceId }));
  else if (form === "ids") terminal.write(ids.map((id) => `${idLine(id)}\n`).join(""));
  else terminal.write(`${question} Nothing was changed (--dry-run).\n`);
}

async function applyAll(work: Work): Promise<Outcome[]> {
  const { ids, earlier, journal } = work;
  const { terminal, form } = work.call;
  const outcomes: Outcome[] = [];
  using progress = new Progress(terminal, earlier + ids.length);
  let next = 0;
  const slot = async (): Promise<void> => {
    for (let id = ids[next++]; id !== undefined && !terminal.interrupted.aborted; id = ids[next++]) {
      journal?.begin(id);
      const outcome = await applyTo(id, work);
      if (outcome.result !== "failed") journal?.end(id);
      outcomes.push(outcome);
      if (form === "jsonl") terminal.write(formatJsonLine(jsonOf(outcome)));
      progress.show(earlier + outcomes.length);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, slot));
  return outcomes;
}

async function applyTo(id: string, { change, journal }: Work): Promise<Outcome> {
  try {
    if (journal?.unsure.has(id) && (await change.wasChanged?.(id)))
      return { id, result: "unchanged", text: "was changed by the earlier call" };
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

function summarise(work: Work, targets: Targets, outcomes: readonly Outcome[]): ExitCode {
  const { terminal, form } = work.call;
  const failed = outcomes.filter(({ result }) => result === "failed");
  const changed = outcomes.filter(({ result }) => result === "changed");
  if (form === "json") terminal.write(formatJson(outcomes.map(jsonOf)));
  if (form === "ids") terminal.write(changed.map(({ id }) => `${idLine(id)}\n`).join(""));
  if (form === "table") printTable(work, outcomes);
  if (terminal.interrupted.aborted) {
    const left = work.ids.length - outcomes.length;
    throw new CommandError(
      EXIT.interrupted,
      `Interrupted: ${count(left)} of ${count(targets.ids.length)} were not touched.${work.journal === undefined ? "" : " The same command goes on."}`,
    );
  }
  if (failed.length === 0) return EXIT.ok;
  return targets.single ? (failed[0]?.exitCode ?? EXIT.failed) : EXIT.partly;
}

function printTable({ call: { terminal }, change, ids, earlier }: Work, outcomes: readonly Outcome[]): void {
  const failed = outcomes.filter(({ result }) => result === "failed");
  const changed = outcomes.filter(({ result }) => result === "changed");
  if (outcomes.length <= SHOWN_ERRORS) {
    for (const { id, result, text } of outcomes)
      if (result !== "failed") terminal.write(`${safeName(id)} ${safeText(text)}\n`);
  } else {
    const unchanged = outcomes.length - failed.length - changed.length;
    const rest = unchanged === 0 ? "" : `, ${count(unchanged)} unchanged`;
    const before = earlier === 0 ? "" : `, ${count(earlier)} by an earlier call`;
    terminal.write(
      `${count(changed.length)}/${count(earlier + ids.length)} ${change.done}${rest}${before}\n`,
    );
  }
  for (const { id, text } of failed.slice(0, SHOWN_ERRORS))
    terminal.note(`${safeName(id)}: ${safeText(text)}\n`);
  if (failed.length > SHOWN_ERRORS) terminal.note(`and ${count(failed.length - SHOWN_ERRORS)} more\n`);
  const [first] = changed.length > 0 ? changed : failed;
  writeNext(terminal, change.next?.(changed.map(({ id }) => id)) ?? [["show", first?.id]]);
}
