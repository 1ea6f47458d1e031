/** `startOrchestration`: starts an independent instance; the caller cannot await it (runtime-semantics §2.8). */
import { type Content, inApiWords } from "./content.ts";
import { type CallKind, callKind } from "./kind.ts";

export interface DetachedRequest extends Content {
  readonly name: string;
  readonly input: string;
  readonly instance: string;
  readonly version: string | undefined;
}

export const DETACHED: CallKind<DetachedRequest, "OrchestrationChained"> = callKind({
  name: "detached",
  schedules: "OrchestrationChained",
  toEvent: ({ name, instance, input }) => ({ name, instance, input }),
  recorded: ({ name, instance, input }) => ({ name, instance, input }),
  describe: (content) => inApiWords("startOrchestration", content),
  message: ({ name, instance, input, version }) => ({
    kind: "StartOrchestration",
    instance,
    orchestration: name,
    input,
    version: version ?? null,
    parent_instance: null,
    parent_id: null,
    execution_id: 1,
  }),
  outlivesExecution: true,
  unmatched: "OrchestrationChained",
});
