/** `duroxide terminate`: ends instances now, without running their code. */
import { recordWithReason } from "../command/record.ts";
import type { Verb } from "../command/verb.ts";
import { changingVerb } from "../instances/changing-verb.ts";

export const terminate: Verb = changingVerb({
  name: "terminate",
  flags: {},
  details: `
The instance fails as cancelled at once, also if it is suspended or blocked. Its record stays, its activities are
dropped and its children cancelled. Needs --reason.`,
  examples: [
    ['terminate order-42 --reason "its version is gone"', "one instance"],
    ['terminate --status blocked --version 1.0.0 --reason "version 1 is gone" --yes', "all that are blocked"],
  ],
  plan({ flags }) {
    const record = recordWithReason(flags);
    return ({ client }) => ({
      question: "would end now, without running their code",
      done: "is ended",
      async apply(id) {
        await client.admin.terminate(id, record);
        return undefined;
      },
    });
  },
});
