/** Events and queue messages that are stored with a start, from flags of the form NAME=JSON. */
import type { QueuedAtStart, RaisedAtStart } from "@duroxide-ts/core";
import { type JsonTaker, jsonArgument } from "../command/json-argument.ts";
import { usage } from "../errors/exit-code.ts";

interface MessageFlags {
  readonly raise: readonly string[] | undefined;
  readonly enqueue: readonly string[] | undefined;
}

interface Messages {
  readonly raise?: readonly RaisedAtStart<unknown>[];
  readonly enqueue?: readonly QueuedAtStart<unknown>[];
}

/** The events are kept until they are awaited. Throws a `CommandError` for what is no JSON, and for a missing name. */
export async function startMessages(flags: MessageFlags, taker: JsonTaker): Promise<Messages> {
  const raised = await parsed(flags.raise, "--raise", taker);
  const queued = await parsed(flags.enqueue, "--enqueue", taker);
  return {
    ...(raised.length > 0 && { raise: await asEvents(raised) }),
    ...(queued.length > 0 && { enqueue: queued.map(({ name, value }) => ({ queue: name, message: value })) }),
  };
}

interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

async function parsed(
  texts: readonly string[] = [],
  flag: string,
  taker: JsonTaker,
): Promise<readonly NamedValue[]> {
  const values: NamedValue[] = [];
  for (const text of texts) {
    const [, name = "", json] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    if (name === "") throw usage(`${flag} needs a name before the =: ${flag} NAME=JSON`);
    values.push({ name, value: await jsonArgument(json, `${flag} ${name}`, taker) });
  }
  return values;
}

/** Definitions of events are not among what the client loads. */
async function asEvents(raised: readonly NamedValue[]): Promise<readonly RaisedAtStart<unknown>[]> {
  const { event } = await import("@duroxide-ts/core");
  return raised.map(({ name, value }) => ({ event: event(name, { keep: true }), data: value }));
}
