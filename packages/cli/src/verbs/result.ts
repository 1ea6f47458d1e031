/** `duroxide result`: waits for an instance to end. */

import { ProviderError } from "@duroxide-ts/core/client";
import { defineVerb, type Verb } from "../command/verb.ts";
import { oneId } from "../command/words.ts";
import { awaitResult } from "../instances/await-result.ts";
import { readKnown } from "../instances/read-known.ts";

export const result: Verb = defineVerb({
  name: "result",
  takes: "<id>",
  flags: { timeout: { kind: "duration", value: "SPAN", help: "how long it waits; without end by default" } },
  details: `
Exit code 0 if the instance completed, 1 if it failed or has not ended in time.`,
  examples: [
    ["result order-42 --timeout 30s", "the output, or the error"],
    ["result order-42 -o json", "output or failure as JSON"],
  ],
  async run(call) {
    const id = oneId(call.words, "result <id>");
    const store = await call.store("read");
    const handle = store.client.handle("any", id);
    // A wait for an instance that does not exist would never end.
    if ((await handle.status()).status === "NotFound") {
      await readKnown(store, id, call.terminal.clock.now()).catch((error: unknown) => {
        if (!ProviderError.is(error, "unsupported")) throw error;
      });
    }
    return awaitResult(call, store, id, call.flags.timeout);
  },
});
