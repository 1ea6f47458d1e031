/** `duroxide delete`: removes instances with their histories. */
import { CHANGE, RECORD_ON_STDERR } from "../command/flags.ts";
import { recordingIfAsked, recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { changeEach } from "../instances/change-each.ts";
import { readTargets, TARGET_FLAGS } from "../instances/targets.ts";
import { counted } from "../text/times.ts";

export const deleteVerb: Verb = defineVerb({
  name: "delete",
  takes: "<id…> | - | <filter>",
  flags: {
    ...TARGET_FLAGS,
    force: { kind: "switch", help: "also those that run; their workers meet nothing" },
    ...RECORD_ON_STDERR,
    ...CHANGE,
  },
  details: `
An instance is removed with its children, histories, messages and entries. A child can be removed only with its root.
Instances that run are refused without --force.`,
  examples: [
    ["delete order-42", "one instance that has ended"],
    ["delete --status completed --until 30d --roots --yes", "what ended 30 days ago"],
  ],
  async run(call) {
    const { force } = call.flags;
    const store = await call.store("write", recordingIfAsked(call.terminal, call.flags));
    const { admin } = store.client;
    const record = recordOf(call.flags);
    return changeEach(call, await readTargets(store, "delete", call), {
      question: "would be deleted, with all children and histories",
      remark: "This cannot be undone.",
      done: "is deleted",
      async apply(id) {
        await admin.info(id);
        const { instancesDeleted, eventsDeleted } = await admin.delete(id, { force, ...record });
        return `is deleted (${counted(instancesDeleted, "instance")}, ${counted(eventsDeleted, "event")})`;
      },
      next: () => [["list"]],
    });
  },
});
