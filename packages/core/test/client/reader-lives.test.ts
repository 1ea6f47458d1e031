/** A reader of a stream never goes on in another life of the id, however the two lives lie between its reads. */
import { expect, it } from "vitest";
import type { Provider } from "../../src/contract/provider.ts";
import type { StreamPage } from "../../src/contract/streams.ts";
import { Client } from "../../src/index.ts";
import { overriding } from "../../src/offload/overriding.ts";
import { MemoryProvider, VirtualClock } from "../../src/testing/index.ts";

/** A page of a stream that has had two values, read from one of them on. */
function page(life: string, from: number): StreamPage {
  const batches = from < 2 ? [{ offset: from, values: [`"${life}${from}"`], attempt: 1, since: 0 }] : [];
  return { state: "open", life, first: 0, next: 2, batches, restarts: [] };
}

it("that reads before a deletion and after the next start is told that its instance is gone", async () => {
  const clock = new VirtualClock();
  const lives = ["a", "b"];
  const store = overriding<Provider, Provider>(new MemoryProvider({ clock }), {
    readStream: async ({ from }) => page(lives.shift() ?? "b", from),
  });
  const items: unknown[] = [];
  const reading = (async () => {
    for await (const item of new Client(store, { clock }).handle("o", "i").stream("s"))
      items.push("value" in item ? item.value : item);
  })();
  await expect(reading).rejects.toMatchObject({ name: "StreamError", code: "gone" });
  expect(items).toEqual(["a0"]);
});
