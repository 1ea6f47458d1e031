/** Writers of a stream whose process is killed at a request: another process takes over, and every value is there once. */
import { Client, type StreamItem } from "@duroxide-ts/core";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect, it } from "vitest";
import { SEED, sample } from "../../../../test/support/effort.ts";
import { openStage, type Place, type Stage, TAKE_OVER_MS } from "../support/stage.ts";
import { Children } from "./children.ts";
import { program, runStreams, STREAMS, TALK } from "./operations/streams.ts";
import { perform } from "./perform.ts";

async function itemsOf({ provider, clock }: Stage, all: boolean): Promise<readonly StreamItem<string>[]> {
  const handle = new Client(provider, { clock }).handle(program, "i");
  const items: StreamItem<string>[] = [];
  try {
    for await (const item of handle.stream<string>("talk", { all, wait: false })) items.push(item);
  } catch (error) {
    if ((error as { code?: string }).code !== "not-found") throw error;
  }
  return items;
}

it("a stream whose writer dies at any request has each value once and in order, and keeps what was stored", async () => {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const { connectionString } = emulator;
  using children = new Children();
  const { requests, failure } = await perform({ connectionString, container: "whole" }, STREAMS, undefined);
  expect(failure).toBeUndefined();
  const snares = requests.flatMap((_, index) =>
    (["before", "after"] as const).map((fate) => ({ nth: index + 1, fate })),
  );
  for (const snare of sample(snares)) {
    const { nth, fate } = snare;
    const place: Place = { connectionString, container: `streams-${nth}-${fate}` };
    const where = `killed ${fate} request ${nth} (${requests[nth - 1]}), seed ${SEED}`;
    const { problems } = await children.kill(place, STREAMS, snare);
    expect(problems, where).toEqual([]);
    await using stage = await openStage(place, TAKE_OVER_MS);
    const stored = await itemsOf(stage, true);
    expect(await runStreams(stage), where).toBe("done");
    const all = await itemsOf(stage, true);
    expect(all.slice(0, stored.length), where).toEqual(stored);
    const offsets = all.flatMap(({ offset }) => (offset === undefined ? [] : [offset]));
    expect(offsets, where).toEqual(offsets.map((_, index) => index));
    const values = (await itemsOf(stage, false)).flatMap(({ value }) => (value === undefined ? [] : [value]));
    expect(values, where).toEqual(TALK);
  }
});
