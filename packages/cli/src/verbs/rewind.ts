/** `duroxide rewind`: goes back to an event; what came after it is done again. */
import { CHANGE, RECORD } from "../command/flags.ts";
import { recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { oneId } from "../command/words.ts";
import { usage } from "../errors/exit-code.ts";
import { againText } from "../instances/again-text.ts";
import { changeEach } from "../instances/change-each.ts";

export const rewind: Verb = defineVerb({
  name: "rewind",
  takes: "<id>",
  flags: {
    "to-event": { kind: "number", value: "N", least: 1, help: "the last event that is kept" },
    "same-keys": { kind: "switch", help: "activities that run again keep their idempotency keys" },
    ...RECORD,
    ...CHANGE,
  },
  details: `
The cut moves back to the beginning of the turn that stored the event after N. The execution that is left stays as a
record; the next one goes on from the cut. Children that were begun later are cancelled.`,
  examples: [
    ["history order-42 --compact", "the events, with their numbers"],
    ['rewind order-42 --to-event 12 --reason "wrong address"', "what came after event 12 is done again"],
  ],
  async run(call) {
    const { flags } = call;
    const id = oneId(call.words, "rewind <id> --to-event N");
    const toEvent = flags["to-event"];
    if (toEvent === undefined)
      throw usage("Where to?", "--to-event N; duroxide history ID --compact lists the events");
    const { client } = await call.store("write");
    const idempotencyKeys = flags["same-keys"] ? "same" : "new";
    return changeEach(
      call,
      { ids: [id], names: "", single: true },
      {
        question: `would go back to event ${toEvent}`,
        remark: flags["same-keys"]
          ? "Idempotency keys stay the same."
          : "Activities get new idempotency keys.",
        done: "goes on",
        apply: async (each) =>
          againText(await client.admin.rewind(each, { toEvent, idempotencyKeys, ...recordOf(flags) })),
      },
    );
  },
});
