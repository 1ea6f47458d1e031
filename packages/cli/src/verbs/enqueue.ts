/** `duroxide enqueue`: adds a message to a queue of an instance. */
import { defineVerb, type Verb } from "../command/verb.ts";
import { sendMessage } from "../instances/send-message.ts";

export const enqueue: Verb = defineVerb({
  name: "enqueue",
  takes: "<id> <queue> [json]",
  flags: {},
  details: `
The message stays until the instance reads it. Kept events are queues of their name.
The JSON is a text, @file, or - for stdin.`,
  examples: [
    [`enqueue order-42 lines '{"sku":"A-1"}'`, "a message"],
    ["enqueue order-42 lines @line.json", "from a file"],
  ],
  run: (call) =>
    sendMessage(call, {
      form: "enqueue <id> <queue> [json]",
      kind: "queue",
      send: (handle, name, data) => handle.enqueue(name, data),
    }),
});
