/** Sends one event or message to an instance. */
import type { InstanceHandle } from "@duroxide-ts/core";
import { jsonArgument } from "../command/json-argument.ts";
import type { Call } from "../command/verb.ts";
import { CommandError, EXIT, type ExitCode, usage } from "../errors/exit-code.ts";
import { idLine } from "../output/id-line.ts";
import { formatJson, formatJsonLine } from "../output/json.ts";
import { nextLine } from "../output/next-line.ts";
import { safeText } from "../text/safe-text.ts";
import { readKnown } from "./read-known.ts";

interface Message {
  readonly form: string;
  readonly kind: "event" | "queue";
  send(handle: InstanceHandle<unknown>, name: string, data: unknown): Promise<void>;
}

/** Throws a `CommandError` if the instance has ended: the message would be lost. */
export async function sendMessage(call: Call, { form, kind, send }: Message): Promise<ExitCode> {
  const { words, terminal } = call;
  const [id, name, json, ...more] = words;
  if (id === undefined || name === undefined || more.length > 0) throw usage(`The form is: duroxide ${form}`);
  const { codec } = await call.config();
  const data = await jsonArgument(json, "The message", { terminal, asValue: codec !== undefined });
  const store = await call.store("write");
  const { client } = store;
  const { orchestrationName, status } = await readKnown(store, id, terminal.clock.now());
  if (status === "Completed" || status === "Failed") {
    throw new CommandError(
      EXIT.failed,
      `${id} has ended (${status.toLowerCase()}), so nothing would read the message`,
    );
  }
  const waits = status === undefined ? [] : (await client.admin.timeline(id)).waits;
  // A kept event is on the wire a message of the queue of its name.
  const isOpen = waits.some((wait) => wait.name === name && (wait.kind === kind || wait.keep === true));
  await send(client.handle(orchestrationName, id), name, data);
  const sent = { instanceId: id, [kind]: name, waitedFor: isOpen };
  if (call.form === "table") {
    const remark = isOpen
      ? ""
      : kind === "event"
        ? ", which does not wait for it now"
        : ", which does not read it now";
    const next = nextLine([["show", id]]);
    terminal.write(
      `${safeText(`${kind === "event" ? `event "${name}"` : `a message for queue "${name}"`} is sent to ${id}${remark}`)}\n`,
    );
    if (next !== "") terminal.write(`${terminal.style("dim", next)}\n`);
  } else if (call.form === "ids") terminal.write(`${idLine(id)}\n`);
  else terminal.write((call.form === "json" ? formatJson : formatJsonLine)(sent));
  return EXIT.ok;
}
