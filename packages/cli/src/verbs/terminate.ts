/** `duroxide terminate`: ends instances now, without running their code. */
import { CHANGE, RECORD } from "../command/flags.ts";
import { recordWithReason } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { changeEach } from "../instances/change-each.ts";
import { readTargets, TARGET_FLAGS } from "../instances/targets.ts";

export const terminate: Verb = defineVerb({
  name: "terminate",
  takes: "<id…> | - | <filter>",
  flags: { ...TARGET_FLAGS, ...RECORD, ...CHANGE },
  details: `
The instance fails as cancelled at once, also if it is suspended or blocked. Its record stays, its activities are
dropped and its children cancelled. Needs --reason.`,
  examples: [
    ['terminate order-42 --reason "its version is gone"', "one instance"],
    ['terminate --status blocked --version 1.0.0 --reason "version 1 is gone" --yes', "all that are blocked"],
  ],
  async run(call) {
    const record = recordWithReason(call.flags);
    const store = await call.store("write");
    const { admin } = store.client;
    return changeEach(call, await readTargets(store, "terminate", call), {
      question: "would end now, without running their code",
      done: "is ended",
      async apply(id) {
        await admin.terminate(id, record);
        return undefined;
      },
    });
  },
});
