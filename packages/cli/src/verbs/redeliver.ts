/** `duroxide redeliver`: delivers a message again that was set aside, because it did not fit its wait. */
import { EXECUTION, RECORD } from "../command/flags.ts";
import { jsonArgument } from "../command/json-argument.ts";
import { recordingIfAsked, recordOf } from "../command/record.ts";
import { defineVerb, type Verb } from "../command/verb.ts";
import { EXIT, usage } from "../errors/exit-code.ts";
import { printAnswer } from "../output/answer.ts";
import { safeText } from "../text/safe-text.ts";

const FORM = "redeliver <id> <event> [json]";

export const redeliver: Verb = defineVerb({
  name: "redeliver",
  takes: "<id> <event> [json]",
  flags: {
    ...EXECUTION,
    again: { kind: "switch", help: "also if it was delivered again before" },
    ...RECORD,
  },
  details: `
duroxide show lists what was set aside, with the numbers of the events. Without JSON the message is delivered as it is
stored, for code that takes it now. The JSON is a text, @file, or - for stdin.`,
  examples: [
    [`redeliver order-42 7 '{"by":"Ada"}'`, "corrected"],
    ["redeliver order-42 7", "as it is"],
  ],
  async run(call) {
    const { words, flags, terminal, config, store } = call;
    const [id, event, json, ...more] = words;
    if (id === undefined || event === undefined || more.length > 0 || !/^[1-9]\d{0,14}$/.test(event))
      throw usage(`The form is: duroxide ${FORM}`);
    const { codec } = await config();
    const message = await jsonArgument(json, "The message", { terminal, asValue: codec !== undefined });
    const { client } = await store("write", recordingIfAsked(terminal, flags));
    const { redelivered } = await client.admin.redeliver(id, {
      eventId: Number(event),
      ...(flags.execution !== undefined && { executionId: flags.execution }),
      ...(json !== undefined && { message }),
      again: flags.again,
      ...recordOf(flags),
    });
    const done = redelivered
      ? "is delivered again"
      : "was delivered again before; --again delivers it once more";
    printAnswer(call, {
      value: { instanceId: id, eventId: Number(event), redelivered },
      id,
      text: `${safeText(`message ${event} of ${id} ${done}`)}\n`,
      next: [["show", id]],
    });
    return EXIT.ok;
  },
});
