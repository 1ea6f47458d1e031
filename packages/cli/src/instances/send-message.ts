/** Sends one event or message to an instance. */
import type { InstanceTimeline } from "@duroxide-ts/core";
import { type AnyClient, type AnyHandle, NotDeliveredError, ProviderError } from "@duroxide-ts/core/client";
import { jsonArgument } from "../command/json-argument.ts";
import type { Call } from "../command/verb.ts";
import { CommandError, EXIT, type ExitCode, usage } from "../errors/exit-code.ts";
import { printAnswer } from "../output/answer.ts";
import { nextLine } from "../output/next-line.ts";
import { safeText } from "../text/safe-text.ts";

interface Message {
  readonly form: string;
  readonly kind: "event" | "queue";
  send(handle: AnyHandle<unknown>, name: string, data: unknown): Promise<void>;
}

/** The store refuses a message that nothing would read. */
export async function sendMessage(call: Call, { form, kind, send }: Message): Promise<ExitCode> {
  const { words, terminal } = call;
  const [id, name, json, ...more] = words;
  if (id === undefined || name === undefined || more.length > 0) throw usage(`The form is: duroxide ${form}`);
  const { codec } = await call.config();
  const data = await jsonArgument(json, "The message", { terminal, asValue: codec !== undefined });
  const { client } = await call.store("write");
  const waits = await waitsOf(client, id);
  // A kept event is on the wire a message of the queue of its name.
  const isOpen = waits?.some((wait) => wait.name === name && (wait.kind === kind || wait.keep === true));
  try {
    await send(client.handle("any", id), name, data);
  } catch (error) {
    if (!NotDeliveredError.is(error, "not-found")) throw error;
    throw new CommandError(EXIT.notFound, `There is no instance ${JSON.stringify(id)}`, nextLine([["list"]]));
  }
  const [what, verb] =
    kind === "event" ? [`event "${name}"`, "wait for"] : [`a message for queue "${name}"`, "read"];
  const remark = isOpen === false ? `, which does not ${verb} it now` : "";
  printAnswer(call, {
    value: { instanceId: id, [kind]: name, ...(isOpen !== undefined && { waitedFor: isOpen }) },
    id,
    text: `${safeText(`${what} is sent to ${id}${remark}`)}\n`,
    next: [["show", id]],
  });
  return EXIT.ok;
}

/** The open waits, to say whether one is for the message; none of an instance that has not begun, or where a server tells none. */
async function waitsOf({ admin }: AnyClient, id: string): Promise<InstanceTimeline["waits"] | undefined> {
  try {
    return (await admin.timeline(id)).waits;
  } catch (error) {
    if (ProviderError.is(error, "instance-not-found")) return [];
    if (ProviderError.is(error, "unsupported")) return undefined;
    throw error;
  }
}
