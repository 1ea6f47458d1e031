/** `duroxide retry`: tries failed instances again from before their failure. */
import { CHANGE, RECORD } from "../command/flags.ts";
import { recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { againText } from "../instances/again-text.ts";
import { changeEach } from "../instances/change-each.ts";
import { readTargets, TARGET_FLAGS } from "../instances/targets.ts";

export const KEYS = {
  "new-keys": { kind: "switch", help: "activities that run again get new idempotency keys" },
} as const;

export const retry: Verb = defineVerb({
  name: "retry",
  takes: "<id…> | - | <filter>",
  flags: { ...TARGET_FLAGS, ...KEYS, ...RECORD, ...CHANGE },
  details: `
The activities and children that failed last run again; everything else stays as it is recorded. An instance whose
own code failed is refused: deploy code that does not fail, and rewind it.`,
  examples: [
    ["retry order-42", "one instance"],
    ['retry --status failed --name checkout --since 1h --reason "the bank is back"', "all that failed"],
  ],
  async run(call) {
    const store = await call.store("write");
    const { admin } = store.client;
    const keys = call.flags["new-keys"];
    return changeEach(call, await readTargets(store, "retry", call), {
      question: "would run again from before the failure",
      remark: keys ? "Activities get new idempotency keys." : "Idempotency keys stay the same.",
      done: "runs again",
      apply: async (id) =>
        againText(await admin.retry(id, { ...recordOf(call.flags), idempotencyKeys: keys ? "new" : "same" })),
    });
  },
});
