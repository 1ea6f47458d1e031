/** `duroxide retry`: tries failed instances again from before their failure. */
import { recordOf } from "../command/record.ts";
import type { Verb } from "../command/verb.ts";
import { againText } from "../instances/again-text.ts";
import { changingVerb } from "../instances/changing-verb.ts";

export const retry: Verb = changingVerb({
  name: "retry",
  flags: {
    "new-keys": { kind: "switch", help: "activities that run again get new idempotency keys" },
  },
  details: `
The activities and children that failed last run again; everything else stays as it is recorded. An instance whose
own code failed is refused: deploy code that does not fail, and rewind it.`,
  examples: [
    ["retry order-42", "one instance"],
    ['retry --status failed --name checkout --since 1h --reason "the bank is back"', "all that failed"],
  ],
  plan({ flags }) {
    const keys = flags["new-keys"];
    return ({ client }) => ({
      question: "would run again from before the failure",
      remark: keys ? "Activities get new idempotency keys." : "Idempotency keys stay the same.",
      done: "runs again",
      apply: async (id) =>
        againText(
          await client.admin.retry(id, { ...recordOf(flags), idempotencyKeys: keys ? "new" : "same" }),
        ),
    });
  },
});
