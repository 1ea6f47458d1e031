/** `duroxide rewind`: goes back to an event, or to before the failure; what came after it is done again. */
import { recordOf } from "../command/record.ts";
import type { Verb } from "../command/verb.ts";
import { usage } from "../errors/exit-code.ts";
import { againText } from "../instances/again-text.ts";
import { changingVerb } from "../instances/changing-verb.ts";

export const rewind: Verb = changingVerb({
  name: "rewind",
  flags: {
    "to-event": {
      kind: "number",
      value: "N",
      least: 1,
      help: "the last event that is kept; of one instance",
    },
    "before-failure": { kind: "switch", help: "goes back to before the turn with which it failed" },
    "same-keys": { kind: "switch", help: "activities that run again keep their idempotency keys" },
  },
  details: `
The cut moves back to the beginning of the turn that stored the event after N. The execution that is left stays as a
record; the next one goes on from the cut. Children that were begun later are cancelled. With --before-failure the
turn that failed runs again with the same messages: deploy corrected code first.`,
  examples: [
    ["history order-42 --compact", "the events, with their numbers"],
    ['rewind order-42 --to-event 12 --reason "wrong address"', "what came after event 12 is done again"],
    ["rewind --status failed --name checkout --since 12h --before-failure", "all, with corrected code"],
  ],
  plan({ flags }) {
    const toEvent = flags["to-event"];
    const beforeFailure = flags["before-failure"];
    if ((toEvent === undefined) !== beforeFailure) {
      throw usage(
        toEvent === undefined ? "Where to?" : "Give one place: --to-event or --before-failure",
        "--to-event N, or --before-failure; duroxide history ID --compact lists the events",
      );
    }
    const place = toEvent === undefined ? { beforeFailure: true as const } : { toEvent };
    const idempotencyKeys = flags["same-keys"] ? "same" : "new";
    return ({ client }, targets) => {
      if (toEvent !== undefined && !targets.single) {
        throw usage("--to-event is for one instance", "give its id; for many, use --before-failure");
      }
      return {
        question: `would go back to ${toEvent === undefined ? "before the failure" : `event ${toEvent}`}`,
        remark: flags["same-keys"]
          ? "Idempotency keys stay the same."
          : "Activities get new idempotency keys.",
        done: "goes on",
        apply: async (each) =>
          againText(await client.admin.rewind(each, { ...place, idempotencyKeys, ...recordOf(flags) })),
      };
    };
  },
});
