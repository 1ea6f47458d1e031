/** `duroxide raise`: sends an event to an instance that waits for it. */
import { defineVerb, type Verb } from "../command/verb.ts";
import { sendMessage } from "../instances/send-message.ts";

export const raise: Verb = defineVerb({
  name: "raise",
  takes: "<id> <event> [json]",
  flags: {},
  details: `
An event that no wait of the instance is open for is lost, unless the program keeps it: then send it with enqueue.
The JSON is a text, @file, or - for stdin.`,
  examples: [
    [`raise order-42 approved '{"by":"Ada"}'`, "an event with data"],
    ["raise order-42 approved", "an event without data"],
  ],
  run: (call) =>
    sendMessage(call, {
      form: "raise <id> <event> [json]",
      kind: "event",
      send: (handle, name, data) => handle.raise(name, data),
    }),
});
