/** `duroxide resume`: ends a suspension. */
import { CHANGE, RECORD_ON_STDERR } from "../command/flags.ts";
import { recordingIfAsked, recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { changeEach } from "../instances/change-each.ts";
import { readTargets, TARGET_FLAGS } from "../instances/targets.ts";

export const resume: Verb = defineVerb({
  name: "resume",
  takes: "<id…> | - | <filter>",
  flags: { ...TARGET_FLAGS, ...RECORD_ON_STDERR, ...CHANGE },
  examples: [
    ["resume order-42", "one instance"],
    ["resume --status suspended --yes", "all that are suspended"],
  ],
  async run(call) {
    const store = await call.store("write", recordingIfAsked(call.terminal, call.flags));
    const { admin } = store.client;
    const record = recordOf(call.flags);
    return changeEach(call, await readTargets(store, "resume", call), {
      question: "would run again",
      done: "runs again",
      async apply(id) {
        const { resumed } = await admin.resume(id, record);
        return resumed ? undefined : { unchanged: "was not suspended" };
      },
    });
  },
});
