/** `duroxide dead-letters show`: one dead letter with its text. */
import { defineVerb, type Verb } from "../command/verb.ts";
import { oneId } from "../command/words.ts";
import { CommandError, EXIT } from "../errors/exit-code.ts";
import { findDeadLetter } from "../instances/read-dead-letters.ts";
import { formatFields } from "../output/fields.ts";
import { idLine } from "../output/id-line.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import { nextLine } from "../output/next-line.ts";
import { exactTime, zoneOf } from "../text/times.ts";

export const deadLettersShow: Verb = defineVerb({
  name: "dead-letters show",
  takes: "<id>",
  flags: {},
  examples: [
    ["dead-letters show 7", "the row as it was stored"],
    ["dead-letters show 7 -o json", "for a program"],
  ],
  async run({ store, words, form, terminal }) {
    const id = oneId(words, "dead-letters show <id>");
    const letter = await findDeadLetter((await store("read")).client.admin, id);
    if (letter === undefined)
      throw new CommandError(
        EXIT.notFound,
        `There is no dead letter ${id}`,
        "Next: duroxide dead-letters list",
      );
    if (form === "table") {
      const { kind, instanceId, reason, movedAtMs, text } = letter;
      const when = `${exactTime(movedAtMs)} ${zoneOf(movedAtMs)}`;
      terminal.write(
        formatFields(
          [
            ["when", when],
            ["queue", kind],
            ["instance", instanceId],
            ["reason", reason],
            ["text", text],
          ],
          terminal,
        ),
      );
      const next = nextLine([
        ["dead-letters", "requeue", id],
        ["dead-letters", "drop", id],
      ]);
      terminal.write(`${terminal.style("dim", next)}\n`);
    } else
      terminal.write(
        form === "ids" ? `${idLine(id)}\n` : (form === "json" ? formatJson : formatJsonLine)(letter),
      );
    return EXIT.ok;
  },
});
