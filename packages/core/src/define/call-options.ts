/** Checks the arguments of durable calls before anything is recorded. The cost is one check for each option. */
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { methodsFault, textFault } from "../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList, shown } from "../options/option-list.ts";
import { STEP_TAG } from "../wire/known-code.ts";
import { SYSTEM_CALL_PREFIX } from "./definitions.ts";
import type {
  ActivityOptions,
  CallOptions,
  ContinueAsNewOptions,
  DetachedOptions,
  OnCancelOptions,
  RaceOptions,
  StepHandler,
  StepOptions,
  SubOrchestrationOptions,
} from "./durable-call-options.ts";
import { durationMs } from "./duration.ts";
import { checkLimitOptions } from "./limit-rules.ts";
import { nameFault, surrogateFault } from "./limits.ts";
import type { CleanUpFunction } from "./orchestration-context.ts";
import type { RetryPolicy } from "./retry.ts";
import { checkRetryPolicy } from "./retry-check.ts";
import type { Uncertain, UndoOptions } from "./saga.ts";

const CALL: OptionList = optionList<CallOptions>({ label: true, signal: true });
const OF_HANDLERS = {
  retry: true,
  timeout: true,
  queueTimeout: true,
  totalTimeout: true,
  session: true,
  limit: true,
  priority: true,
} as const;
const STEP: OptionList = optionList<StepOptions>({ ...OF_HANDLERS, label: true, signal: true });
const ACTIVITY: OptionList = optionList<ActivityOptions>({
  ...OF_HANDLERS,
  tag: true,
  label: true,
  signal: true,
});
const OF_UNDO = { undoRetry: true, onUncertain: true } as const;
const SAGA: Readonly<Record<"run" | "schedule", OptionList>> = {
  run: optionList<StepOptions & UndoOptions & Uncertain>({
    ...OF_HANDLERS,
    label: true,
    signal: true,
    ...OF_UNDO,
  }),
  schedule: optionList<ActivityOptions & UndoOptions & Uncertain & { undo: unknown }>({
    ...OF_HANDLERS,
    tag: true,
    label: true,
    signal: true,
    undo: true,
    ...OF_UNDO,
  }),
};
const SUB_ORCHESTRATION: OptionList = optionList<SubOrchestrationOptions>({
  instanceId: true,
  version: true,
  inheritTags: true,
  label: true,
  signal: true,
});
const DETACHED: OptionList = optionList<DetachedOptions<unknown>>({
  instanceId: true,
  input: true,
  version: true,
  after: true,
  inheritTags: true,
});
const CONTINUE_AS_NEW: OptionList = optionList<ContinueAsNewOptions>({ version: true });
const ON_CANCEL: OptionList = optionList<OnCancelOptions>({ timeout: true });
const RACE: OptionList = optionList<RaceOptions>({ keep: true });

export function checkCallOptions(call: string, options: CallOptions): void {
  checkOptions(call, options, CALL);
  checkCommon(call, options);
}

export function checkActivityOptions(options: ActivityOptions): void {
  checkOptions("scheduleActivity", options, ACTIVITY);
  const { tag } = options;
  if (tag !== undefined) checkText("scheduleActivity: tag", tag);
  if (tag === STEP_TAG) throw new InvalidInputError(`scheduleActivity: the tag "${tag}" is that of ctx.run`);
  checkAttempts("scheduleActivity", options);
}

export function checkStep(name: string, step: StepHandler, options: StepOptions): void {
  const fault =
    typeof name === "string" ? stepNameFault(name) : `run: the name must be a text; got ${shown(name)}`;
  if (fault !== undefined) throw new InvalidInputError(fault);
  if (typeof step !== "function")
    throw new InvalidInputError(`run: the step must be a function; got ${shown(step)}`);
  checkOptions("run", options, STEP);
  checkAttempts("run", options);
}

function stepNameFault(name: string): string | undefined {
  if (name === "") return "run: the name must not be empty; name what the step does";
  if (name.startsWith(SYSTEM_CALL_PREFIX))
    return `run: names starting with "${SYSTEM_CALL_PREFIX}" are reserved; got "${name}"`;
  return nameFault("run: the name", name);
}

/** The undo and the options of a call of a saga. */
export function checkUndo(
  call: "run" | "schedule",
  undo: unknown,
  options: { readonly onUncertain?: unknown; readonly undoRetry?: RetryPolicy | undefined },
): void {
  checkOptions(`saga.${call}`, options, SAGA[call]);
  const { onUncertain, undoRetry } = options;
  if (typeof undo !== "function")
    throw new InvalidInputError(`saga.${call}: the undo must be a function; got ${shown(undo)}`);
  checkFlag(`saga.${call}: onUncertain`, onUncertain);
  if (undoRetry === undefined) return;
  checkRetryPolicy(undoRetry);
  if (undoRetry.maxAttempts === 1)
    throw new InvalidInputError(
      `saga.${call}: undoRetry must have two attempts or more: the last comes when all other undos have ended`,
    );
}

function checkAttempts(call: string, options: ActivityOptions): void {
  const { retry, timeout, queueTimeout, totalTimeout, session } = options;
  if (retry !== undefined) checkRetryPolicy(retry);
  if (timeout !== undefined) durationMs(timeout, `${call}: timeout`);
  if (queueTimeout !== undefined) durationMs(queueTimeout, `${call}: queueTimeout`);
  if (totalTimeout !== undefined) durationMs(totalTimeout, `${call}: totalTimeout`);
  if (session !== undefined) checkSession(call, session);
  checkLimitOptions(call, options);
  if (options.limit !== undefined || options.priority !== undefined) checkNoSession(call, session);
  checkCommon(call, options);
}

export function checkSubOrchestrationOptions(options: SubOrchestrationOptions): void {
  checkOptions("scheduleSubOrchestration", options, SUB_ORCHESTRATION);
  if (options.version !== undefined) checkText("scheduleSubOrchestration: version", options.version);
  checkFlag("scheduleSubOrchestration: inheritTags", options.inheritTags);
  checkCommon("scheduleSubOrchestration", options);
}

/** Its id stands in history for as long as the execution. */
export function checkPatch(id: string): void {
  if (typeof id !== "string") throw new InvalidInputError(`patched: the id must be a text; got ${shown(id)}`);
  const fault = id === "" ? "patched: the id must not be empty" : nameFault("patched: the id", id);
  if (fault !== undefined) throw new InvalidInputError(fault);
}

/** The time limit of the clean-up, in ms; none by default, because a clean-up that is cut off is lost. */
export function checkOnCancel(cleanUp: CleanUpFunction, options: OnCancelOptions): number | undefined {
  if (typeof cleanUp !== "function")
    throw new InvalidInputError(`onCancel: the clean-up must be a function; got ${shown(cleanUp)}`);
  checkOptions("onCancel", options, ON_CANCEL);
  return options.timeout === undefined ? undefined : durationMs(options.timeout, "onCancel: timeout");
}

export function checkDetachedOptions(options: DetachedOptions<unknown>): void {
  if (options === undefined)
    throw new InvalidInputError("startOrchestration: give options with an instanceId");
  checkOptions("startOrchestration", options, DETACHED);
  if (options.version !== undefined) checkText("startOrchestration: version", options.version);
  checkFlag("startOrchestration: inheritTags", options.inheritTags);
}

export function checkContinueAsNewOptions(options: ContinueAsNewOptions): void {
  checkOptions("continueAsNew", options, CONTINUE_AS_NEW);
  if (options.version !== undefined) checkText("continueAsNew: version", options.version);
}

export function checkRaceOptions(options: RaceOptions): void {
  checkOptions("race", options, RACE);
  checkFlag("race: keep", options.keep);
}

function checkFlag(name: string, value: unknown): void {
  if (value === undefined || typeof value === "boolean") return;
  throw new InvalidInputError(`${name} must be true or false; got ${shown(value)}`);
}

/** `all`, `allSettled` and `race` take one list. */
export function checkEntries(call: string, entries: unknown): void {
  if (Array.isArray(entries)) return;
  throw new InvalidInputError(`${call}: give one array of tasks or branches; got ${shown(entries)}`);
}

function checkText(name: string, value: string): void {
  // A string may be empty, because Rust accepts and stores empty names; only other types are mistakes.
  const fault = typeof value === "string" ? surrogateFault(name, value) : textFault(name, value);
  if (fault !== undefined) throw new InvalidInputError(fault);
}

/** The worker of a session takes its activities in their order, whatever else waits. */
export function checkNoSession(call: string, session: string | undefined): void {
  if (session === undefined) return;
  throw new InvalidInputError(
    `${call}: an activity of a session cannot have a limit or a priority; leave session, or limit and priority, out`,
  );
}

/** An empty one, from a value that is missing, would bring all such activities to one worker, one after the other. */
function checkSession(call: string, session: string): void {
  checkText(`${call}: session`, session);
  if (session !== "") return;
  throw new InvalidInputError(
    `${call}: session must not be empty; name what its activities share, or leave the option out`,
  );
}

function checkCommon(call: string, { label, signal }: CallOptions): void {
  const labelFault = typeof label === "string" ? undefined : textFault(`${call}: label`, label);
  const fault = labelFault ?? methodsFault(`${call}: signal`, signal, ["addEventListener"]);
  if (fault !== undefined) throw new InvalidInputError(fault);
}

const LONGEST_LABEL = 200;

/** The label as it is stored: a label made from data must not fail the call because it is long. */
export function storedLabel({ label }: CallOptions): string | undefined {
  if (label === undefined || label === "") return undefined;
  if (label.length <= LONGEST_LABEL && label.isWellFormed()) return label;
  const cut = label.length <= LONGEST_LABEL ? label : `${label.slice(0, LONGEST_LABEL - 1)}…`;
  return cut.replaceAll(/\p{Cs}/gu, "");
}
