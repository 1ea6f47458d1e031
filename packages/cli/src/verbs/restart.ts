/** `duroxide restart`: begins an instance that has ended once more. */
import { recordOf } from "../command/record.ts";
import type { Verb } from "../command/verb.ts";
import { usage } from "../errors/exit-code.ts";
import { changingVerb } from "../instances/changing-verb.ts";

export const restart: Verb = changingVerb({
  name: "restart",
  flags: {
    "new-id": { kind: "text", value: "ID", help: "as a new instance, and not as its next execution" },
  },
  details: `
With the name, the version and the first input of the instance, as its next execution.`,
  examples: [
    ["restart order-42", "as its next execution"],
    ["restart order-42 --new-id order-42-again", "as a new instance"],
  ],
  plan({ flags }) {
    const newId = flags["new-id"];
    return ({ client }, targets) => {
      if (newId !== undefined && !targets.single) throw usage("--new-id needs one id");
      return {
        question: "would begin once more, with the first input",
        done: "begins once more",
        async apply(id) {
          const begun = await client.admin.restart(id, {
            ...recordOf(flags),
            ...(newId !== undefined && { newId }),
          });
          return newId === undefined
            ? `begins execution ${begun.executionId}`
            : `begins once more as ${begun.instanceId}`;
        },
        next: ([id]) => [["show", newId ?? id]],
      };
    };
  },
});
