/** `scheduleSubOrchestration` (runtime-semantics §2.6). */
import type { Tags } from "../../wire/tags.ts";
import { failure, result } from "./answers.ts";
import { automaticChildId, childInstanceId } from "./child-id.ts";
import { type Content, inApiWords } from "./content.ts";
import { type CallKind, callKind } from "./kind.ts";

export interface SubOrchestrationRequest extends Content {
  readonly name: string;
  readonly input: string;
  /** If absent, the id is derived from the event id. */
  readonly childId: string | undefined;
  readonly version: string | undefined;
  /** The tags with which it begins. */
  readonly tags: Tags | undefined;
}

export const SUB_ORCHESTRATION: CallKind<SubOrchestrationRequest, "SubOrchestrationScheduled"> = callKind({
  name: "sub-orchestration",
  schedules: "SubOrchestrationScheduled",
  toEvent: ({ name, input, childId, tags }, eventId, executionId) => ({
    name,
    instance: childId ?? automaticChildId(eventId, executionId),
    input,
    ...(tags !== undefined && { tags }),
  }),
  recorded: ({ name, input }) => ({ name, input }),
  describe: (content) => inApiWords("scheduleSubOrchestration", content),
  message: ({ name, input, childId, version, tags }, eventId, { instanceId, executionId }) => ({
    kind: "StartOrchestration",
    instance: childInstanceId(instanceId, childId ?? automaticChildId(eventId, executionId)),
    orchestration: name,
    input,
    version: version ?? null,
    parent_instance: instanceId,
    parent_id: eventId,
    parent_execution_id: executionId,
    execution_id: 1,
    ...(tags !== undefined && { tags }),
  }),
  answers: [
    result("SubOrchCompleted", "SubOrchestrationCompleted"),
    failure("SubOrchFailed", "SubOrchestrationFailed"),
  ],
  drop: { event: "SubOrchestrationCancelRequested", plural: "sub-orchestrations" },
  completion: "sub-orchestration",
});
