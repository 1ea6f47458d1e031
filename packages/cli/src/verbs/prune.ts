/** `duroxide prune`: removes old executions of instances. */
import { recordOf } from "../command/record.ts";
import type { Verb } from "../command/verb.ts";
import { usage } from "../errors/exit-code.ts";
import { changingVerb } from "../instances/changing-verb.ts";
import { counted } from "../text/times.ts";

export const prune: Verb = changingVerb({
  name: "prune",
  flags: {
    "keep-last": { kind: "number", value: "N", least: 1, help: "executions that are kept" },
    "ended-before": { kind: "duration", value: "SPAN", help: "only executions that ended longer ago" },
  },
  recordsOnStderr: true,
  details: `
The current execution is never removed.`,
  examples: [
    ["prune actor-7 --keep-last 2", "all but the last two executions"],
    ["prune --name actor --keep-last 2 --yes", "of all instances of an orchestration"],
  ],
  plan({ flags, terminal }) {
    const keepLast = flags["keep-last"];
    const endedBefore = flags["ended-before"];
    if (keepLast === undefined && endedBefore === undefined)
      throw usage("What is kept?", "--keep-last N, or --ended-before SPAN");
    const options = {
      ...recordOf(flags),
      ...(keepLast !== undefined && { keepLast }),
      ...(endedBefore !== undefined && { completedBeforeMs: terminal.clock.now() - endedBefore }),
    };
    return ({ client: { admin } }) => ({
      question: "would lose old executions",
      remark: "This cannot be undone.",
      done: "is pruned",
      async apply(id) {
        await admin.info(id);
        const { executionsDeleted, eventsDeleted } = await admin.prune(id, options);
        if (executionsDeleted === 0) return { unchanged: "has no old executions" };
        return `lost ${counted(executionsDeleted, "execution")} (${counted(eventsDeleted, "event")})`;
      },
    });
  },
});
