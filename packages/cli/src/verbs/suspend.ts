/** `duroxide suspend`: no turn of the instances runs until they are resumed. */
import { CHANGE, RECORD } from "../command/flags.ts";
import { recordWithReason } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { changeEach } from "../instances/change-each.ts";
import { readTargets, TARGET_FLAGS } from "../instances/targets.ts";

export const suspend: Verb = defineVerb({
  name: "suspend",
  takes: "<id…> | - | <filter>",
  flags: { ...TARGET_FLAGS, ...RECORD, ...CHANGE },
  details: `
Activities that run go on, and what is sent to the instance waits. Needs --reason. Workers of the Rust library do
not respect a suspension.`,
  examples: [
    ['suspend order-42 --reason "the bank is down"', "one instance"],
    ['suspend --name checkout --status running,retrying --reason "the bank is down" --yes', "all that run"],
  ],
  async run(call) {
    const record = recordWithReason(call.flags);
    const store = await call.store("write");
    const { admin } = store.client;
    return changeEach(call, await readTargets(store, "suspend", call), {
      question: "would not run until a resume",
      done: "is suspended",
      async apply(id) {
        await admin.suspend(id, record);
        return undefined;
      },
      next: ([id]) => [["resume", id]],
    });
  },
});
