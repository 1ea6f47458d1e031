/** `duroxide resume`: ends a suspension. */
import { recordOf } from "../command/record.ts";
import type { Verb } from "../command/verb.ts";
import { changingVerb } from "../instances/changing-verb.ts";

export const resume: Verb = changingVerb({
  name: "resume",
  flags: {},
  recordsOnStderr: true,
  examples: [
    ["resume order-42", "one instance"],
    ["resume --status suspended --yes", "all that are suspended"],
  ],
  plan({ flags }) {
    const record = recordOf(flags);
    return ({ client }) => ({
      question: "would run again",
      done: "runs again",
      async apply(id) {
        const { resumed } = await client.admin.resume(id, record);
        return resumed ? undefined : { unchanged: "was not suspended" };
      },
    });
  },
});
