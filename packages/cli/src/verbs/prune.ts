/** `duroxide prune`: removes old executions of instances. */
import { CHANGE, RECORD_ON_STDERR } from "../command/flags.ts";
import { recordingIfAsked, recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { usage } from "../errors/exit-code.ts";
import { changeEach } from "../instances/change-each.ts";
import { readTargets, TARGET_FLAGS } from "../instances/targets.ts";
import { counted } from "../text/times.ts";

export const prune: Verb = defineVerb({
  name: "prune",
  takes: "<id…> | - | <filter>",
  flags: {
    ...TARGET_FLAGS,
    "keep-last": { kind: "number", value: "N", least: 1, help: "executions that are kept" },
    "ended-before": { kind: "duration", value: "SPAN", help: "only executions that ended longer ago" },
    ...RECORD_ON_STDERR,
    ...CHANGE,
  },
  details: `
The current execution is never removed.`,
  examples: [
    ["prune actor-7 --keep-last 2", "all but the last two executions"],
    ["prune --name actor --keep-last 2 --yes", "of all instances of an orchestration"],
  ],
  async run(call) {
    const { flags, terminal } = call;
    const keepLast = flags["keep-last"];
    const endedBefore = flags["ended-before"];
    if (keepLast === undefined && endedBefore === undefined)
      throw usage("What is kept?", "--keep-last N, or --ended-before SPAN");
    const store = await call.store("write", recordingIfAsked(terminal, flags));
    const { admin } = store.client;
    const options = {
      ...recordOf(flags),
      ...(keepLast !== undefined && { keepLast }),
      ...(endedBefore !== undefined && { completedBeforeMs: terminal.clock.now() - endedBefore }),
    };
    return changeEach(call, await readTargets(store, "prune", call), {
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
