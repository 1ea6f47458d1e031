/**
 * `startOrchestration`: starts an independent instance; the caller cannot await it (runtime-semantics §2.8). `raise` and
 * `enqueue` have the same event under a reserved name (docs/decisions/messages.md).
 */
import { sentMessage } from "../../wire/sent-message.ts";
import type { Tags } from "../../wire/tags.ts";
import type { OrchestratorItem } from "../../wire/work-item.ts";
import { type Content, inApiWords } from "./content.ts";
import { type CallKind, callKind } from "./kind.ts";

export interface DetachedRequest extends Content {
  readonly name: string;
  readonly input: string;
  readonly instance: string;
  readonly version: string | undefined;
  /** The tags with which it begins. */
  readonly tags?: Tags | undefined;
  /** Time before which its code does not run, ms since the epoch. In the message only. */
  readonly startAtMs?: number | undefined;
}

export const DETACHED: CallKind<DetachedRequest, "OrchestrationChained"> = callKind({
  name: "detached",
  schedules: "OrchestrationChained",
  toEvent: ({ name, instance, input }) => ({ name, instance, input }),
  recorded: ({ name, instance, input }) => ({ name, instance, input }),
  describe: (content) => {
    const sent = sentMessage(content.name);
    return sent === undefined
      ? inApiWords("startOrchestration", content)
      : inApiWords(sent.call, { ...content, name: sent.name });
  },
  message,
  outlivesExecution: true,
  unmatched: "OrchestrationChained",
});

function message({ name, instance, input, version, tags, startAtMs }: DetachedRequest): OrchestratorItem {
  const sent = sentMessage(name);
  if (sent !== undefined) {
    const content = { instance, name: sent.name, data: input };
    if (sent.keep === true) return { kind: "QueueMessage", ...content, kept_event: true };
    return { kind: sent.call === "raise" ? "ExternalRaised" : "QueueMessage", ...content };
  }
  return {
    kind: "StartOrchestration",
    instance,
    orchestration: name,
    input,
    version: version ?? null,
    parent_instance: null,
    parent_id: null,
    execution_id: 1,
    ...(startAtMs !== undefined && { start_at_ms: startAtMs }),
    ...(tags !== undefined && { tags }),
  };
}
