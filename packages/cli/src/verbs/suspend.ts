/** `duroxide suspend`: no turn of the instances runs until they are resumed. */
import { recordWithReason } from "../command/record.ts";
import type { Verb } from "../command/verb.ts";
import { changingVerb } from "../instances/changing-verb.ts";

export const suspend: Verb = changingVerb({
  name: "suspend",
  flags: {},
  details: `
Activities that run go on, and what is sent to the instance waits. Needs --reason. Workers of the Rust library do
not respect a suspension.`,
  examples: [
    ['suspend order-42 --reason "the bank is down"', "one instance"],
    ['suspend --name checkout --status running,retrying --reason "the bank is down" --yes', "all that run"],
  ],
  plan({ flags }) {
    const record = recordWithReason(flags);
    return ({ client }) => ({
      question: "would not run until a resume",
      done: "is suspended",
      async apply(id) {
        await client.admin.suspend(id, record);
        return undefined;
      },
      next: ([id]) => [["resume", id]],
    });
  },
});
