/** Writers of a stream whose process is killed at a request: another process takes over, and every value is there once. */
import { Client, type StreamItem } from "@duroxide-ts/core";
import { expect, it } from "vitest";
import { sample } from "../../../../test/support/effort.ts";
import { openStage, type Stage, TAKE_OVER_MS } from "../support/stage.ts";
import { killedAtEach } from "./killed-at-each.ts";
import { program, runStreams, STREAMS, TALK } from "./operations/streams.ts";

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
  await killedAtEach(STREAMS, sample, async (place, where) => {
    await using stage = await openStage(place, TAKE_OVER_MS);
    const stored = await itemsOf(stage, true);
    expect(await runStreams(stage), where).toBe("done");
    const all = await itemsOf(stage, true);
    expect(all.slice(0, stored.length), where).toEqual(stored);
    const offsets = all.flatMap(({ offset }) => (offset === undefined ? [] : [offset]));
    expect(offsets, where).toEqual(offsets.map((_, index) => index));
    const values = (await itemsOf(stage, false)).flatMap(({ value }) => (value === undefined ? [] : [value]));
    expect(values, where).toEqual(TALK);
  });
});
