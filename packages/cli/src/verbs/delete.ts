/** `duroxide delete`: removes instances with their histories. */
import { recordOf } from "../command/record.ts";
import type { Verb } from "../command/verb.ts";
import { changingVerb } from "../instances/changing-verb.ts";
import { counted } from "../text/times.ts";

export const deleteVerb: Verb = changingVerb({
  name: "delete",
  flags: {
    force: { kind: "switch", help: "also those that run; their workers meet nothing" },
  },
  recordsOnStderr: true,
  details: `
An instance is removed with its children, histories, messages and entries. A child can be removed only with its root.
Instances that run are refused without --force.`,
  examples: [
    ["delete order-42", "one instance that has ended"],
    ["delete --status completed --until 30d --roots --yes", "what ended 30 days ago"],
  ],
  plan({ flags }) {
    const { force } = flags;
    const record = recordOf(flags);
    return ({ client: { admin } }) => ({
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
