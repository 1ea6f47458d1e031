/** `duroxide dead-letters show`: one dead letter with its text. */
import { defineVerb, type Verb } from "../command/verb.ts";
import { oneId } from "../command/words.ts";
import { CommandError, EXIT } from "../errors/exit-code.ts";
import { findDeadLetter } from "../instances/read-dead-letters.ts";
import { printAnswer } from "../output/answer.ts";
import { type Field, formatFields } from "../output/fields.ts";
import { exactTime, zoneOf } from "../text/times.ts";

export const deadLettersShow: Verb = defineVerb({
  name: "dead-letters show",
  takes: "<id>",
  flags: {},
  examples: [
    ["dead-letters show 7", "the row as it was stored"],
    ["dead-letters show 7 -o json", "for a program"],
  ],
  async run(call) {
    const id = oneId(call.words, "dead-letters show <id>");
    const letter = await findDeadLetter((await call.store("read")).client.admin, id);
    if (letter === undefined)
      throw new CommandError(
        EXIT.notFound,
        `There is no dead letter ${id}`,
        "Next: duroxide dead-letters list",
      );
    const { kind, instanceId, reason, movedAtMs, text } = letter;
    const fields: readonly Field[] = [
      ["when", `${exactTime(movedAtMs)} ${zoneOf(movedAtMs)}`],
      ["queue", kind],
      ["instance", instanceId],
      ["reason", reason],
      ["text", text],
    ];
    printAnswer(call, {
      value: letter,
      id,
      text: formatFields(fields, call.terminal),
      next: [
        ["dead-letters", "requeue", id],
        ["dead-letters", "drop", id],
      ],
    });
    return EXIT.ok;
  },
});
