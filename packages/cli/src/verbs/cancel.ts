/** `duroxide cancel`: asks instances to end. */
import { hasEnded } from "@duroxide-ts/core/stores";
import { recordAsText } from "../command/record.ts";
import type { Verb } from "../command/verb.ts";
import { changingVerb } from "../instances/changing-verb.ts";
import { readKnown } from "../instances/read-known.ts";

export const cancel: Verb = changingVerb({
  name: "cancel",
  flags: {},
  details: `
The instance and its children fail with the reason at their next turn. An instance that no worker runs ends
when a runtime with its orchestration takes it; terminate does not wait for that. An instance that cleans up
(ctx.onCancel) ends when it has; cancelling it again for another --reason, or terminate, ends it at once.`,
  examples: [
    ['cancel order-42 --reason "ordered twice"', "one instance"],
    ["cancel --name checkout --version 1.0.0 --older-than 7d --dry-run", "what a filter chooses"],
    ["list --status retrying -o ids | duroxide cancel - --yes", "ids from another verb"],
  ],
  plan({ flags, terminal }) {
    const reason = recordAsText(flags);
    return (store) => ({
      question: "would be asked to end",
      done: "is asked to end",
      async apply(id) {
        const { orchestrationName, status, suspended } = await readKnown(store, id, terminal.clock.now());
        if (status !== undefined && hasEnded(status))
          return { unchanged: `has ended (${status.toLowerCase()})` };
        await store.client.handle(orchestrationName, id).cancel(reason);
        return suspended && "is asked to end when it is resumed; terminate does not wait for that";
      },
      async wasChanged(id) {
        const { work } = await store.client.admin.work({ instanceId: id, kind: "orchestrator" });
        // That of a deadline is visible later.
        const nowMs = terminal.clock.now();
        return work.some(({ item, visibleAtMs }) => item === "CancelInstance" && visibleAtMs <= nowMs);
      },
    });
  },
});
