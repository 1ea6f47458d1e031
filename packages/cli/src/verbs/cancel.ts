/** `duroxide cancel`: asks instances to end. */
import { hasEnded } from "@duroxide-ts/core/stores";
import { CHANGE, RECORD } from "../command/flags.ts";
import { recordAsText } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { changeEach } from "../instances/change-each.ts";
import { readKnown } from "../instances/read-known.ts";
import { readTargets, TARGET_FLAGS } from "../instances/targets.ts";

export const cancel: Verb = defineVerb({
  name: "cancel",
  takes: "<id…> | - | <filter>",
  flags: { ...TARGET_FLAGS, ...RECORD, ...CHANGE },
  details: `
The instance and its children fail with the reason at their next turn. An instance that no worker runs ends
when a runtime with its orchestration takes it; terminate does not wait for that. An instance that cleans up
(ctx.onCancel) ends when it has; cancelling it again for another --reason, or terminate, ends it at once.`,
  examples: [
    ['cancel order-42 --reason "ordered twice"', "one instance"],
    ["cancel --name checkout --version 1.0.0 --older-than 7d --dry-run", "what a filter chooses"],
    ["list --status retrying -o ids | duroxide cancel - --yes", "ids from another verb"],
  ],
  async run(call) {
    const reason = recordAsText(call.flags);
    const store = await call.store("write");
    const { client } = store;
    const targets = await readTargets(store, "cancel", call);
    return changeEach(call, targets, {
      question: "would be asked to end",
      done: "is asked to end",
      async apply(id) {
        const { orchestrationName, status, suspended } = await readKnown(
          store,
          id,
          call.terminal.clock.now(),
        );
        if (status !== undefined && hasEnded(status))
          return { unchanged: `has ended (${status.toLowerCase()})` };
        await client.handle(orchestrationName, id).cancel(reason);
        return suspended && "is asked to end when it is resumed; terminate does not wait for that";
      },
      async wasChanged(id) {
        const { work } = await client.admin.work({ instanceId: id, kind: "orchestrator" });
        // That of a deadline is visible later.
        const nowMs = call.terminal.clock.now();
        return work.some(({ item, visibleAtMs }) => item === "CancelInstance" && visibleAtMs <= nowMs);
      },
    });
  },
});
