/** `duroxide restart`: begins an instance that has ended once more. */
import { CHANGE, RECORD } from "../command/flags.ts";
import { recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { usage } from "../errors/exit-code.ts";
import { changeEach } from "../instances/change-each.ts";
import { readTargets, TARGET_FLAGS } from "../instances/targets.ts";

export const restart: Verb = defineVerb({
  name: "restart",
  takes: "<id…> | - | <filter>",
  flags: {
    ...TARGET_FLAGS,
    "new-id": { kind: "text", value: "ID", help: "as a new instance, and not as its next execution" },
    ...RECORD,
    ...CHANGE,
  },
  details: `
With the name, the version and the first input of the instance, as its next execution.`,
  examples: [
    ["restart order-42", "as its next execution"],
    ["restart order-42 --new-id order-42-again", "as a new instance"],
  ],
  async run(call) {
    const { flags } = call;
    const newId = flags["new-id"];
    const store = await call.store("write");
    const targets = await readTargets(store, "restart", call);
    if (newId !== undefined && !targets.single) throw usage("--new-id needs one id");
    return changeEach(call, targets, {
      question: "would begin once more, with the first input",
      done: "begins once more",
      async apply(id) {
        const begun = await store.client.admin.restart(id, {
          ...recordOf(flags),
          ...(newId !== undefined && { newId }),
        });
        return newId === undefined
          ? `begins execution ${begun.executionId}`
          : `begins once more as ${begun.instanceId}`;
      },
      next: ([id]) => [["show", newId ?? id]],
    });
  },
});
