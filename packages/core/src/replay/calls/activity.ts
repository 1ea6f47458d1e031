/**
 * `scheduleActivity`, and the calls of the runtime itself, such as `newGuid` (runtime-semantics §2.1, §2.10). Session and
 * tag are compared on replay like name and input, because they decide where the work runs. The attempt is not: its marks
 * are adopted from the event, since an older version may have recorded the call without them.
 */
import { programOf, STEP_TAG } from "../../wire/known-code.ts";
import { failure, result } from "./answers.ts";
import type { Attempt } from "./attempt.ts";
import { type Content, inApiWords } from "./content.ts";
import { type CallKind, callKind } from "./kind.ts";

export interface ActivityRequest extends Content {
  readonly name: string;
  readonly input: string;
  readonly session: string | undefined;
  readonly tag: string | undefined;
  /** Key of its limits. Like the priority it is not compared: it says when the work runs, not what it is. */
  readonly limit?: string | undefined;
  readonly priority?: number | undefined;
  /** The attempt, for calls with retries. */
  readonly attempt: Attempt | undefined;
  /** Whether its handler stands in the orchestration. */
  readonly isStep?: boolean;
}

/** The part of a request that may be left out. */
export type Addressed = Partial<
  Pick<ActivityRequest, "label" | "session" | "tag" | "limit" | "priority" | "attempt">
>;

export const ACTIVITY: CallKind<ActivityRequest, "ActivityScheduled"> = callKind({
  name: "activity",
  schedules: "ActivityScheduled",
  toEvent: ({ name, input, session, tag, limit, priority, attempt }) => ({
    name,
    input,
    ...(session !== undefined && { session_id: session }),
    ...(tag !== undefined && { tag }),
    ...attempt?.marks,
    ...(limit !== undefined && { limit }),
    ...(priority !== undefined && { priority }),
  }),
  recorded: ({ name, input, session_id, tag }) => ({
    name,
    input,
    session: session_id ?? undefined,
    tag: tag ?? undefined,
  }),
  adopt: ({ attempt }, event) => attempt?.recordedAs(event),
  describe: (content) =>
    content.tag === STEP_TAG
      ? inApiWords("run", { name: content.name ?? "", session: content.session })
      : inApiWords("scheduleActivity", content),
  message: (
    { name, input, session, tag, limit, priority, attempt, isStep },
    id,
    { instanceId, executionId, runId, program },
  ) => ({
    kind: "ActivityExecute",
    instance: instanceId,
    execution_id: executionId,
    id,
    name,
    input,
    ...(session !== undefined && { session_id: session }),
    ...(tag !== undefined && { tag }),
    ...(attempt?.firstId !== undefined && { retry_of: attempt.firstId }),
    ...(attempt?.runMs !== undefined && { timeout_ms: attempt.runMs }),
    ...(attempt?.keyExecution !== undefined && { key_execution: attempt.keyExecution }),
    ...(runId !== undefined && { run_id: runId }),
    ...(isStep === true && { step_of: programOf(program.name, program.version) }),
    ...(limit !== undefined && { limit }),
    ...(priority !== undefined && { priority }),
  }),
  answers: [result("ActivityCompleted", "ActivityCompleted"), failure("ActivityFailed", "ActivityFailed")],
  checksCompletions: true,
  drop: { event: "ActivityCancelRequested", plural: "activities", removes: "activity" },
  completion: "completion",
});
