/** A long stream whose writers are killed again and again: nothing is lost or moved, and it is readable from any offset on. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Client, type InstanceHandle, type StreamItem } from "@duroxide-ts/core";
import { expect, it } from "vitest";
import { IS_DEEP } from "../../../test/support/effort.ts";
import { CAN_RUN_SOURCES } from "../../../test/support/limited-fleet.ts";
import { SqliteProvider } from "../src/index.ts";
import { temporaryFolder } from "./support/fixture.ts";

const WORKER = fileURLToPath(new URL("./support/stream-worker.ts", import.meta.url));
const COUNT = IS_DEEP ? 1_000_000 : 40_000;
const KILLS = 6;

function start(file: string): ChildProcess {
  return spawn(process.execPath, ["--conditions=@duroxide-ts/source", WORKER, file], { stdio: "ignore" });
}

/** The first `count` items from an offset on. */
async function some(
  handle: InstanceHandle<unknown>,
  from: number,
  count: number,
): Promise<StreamItem<number>[]> {
  const items: StreamItem<number>[] = [];
  for await (const item of handle.stream<number>("numbers", { from, all: true, wait: false })) {
    if (item.value !== undefined) items.push(item);
    if (items.length === count) break;
  }
  return items;
}

it.skipIf(!CAN_RUN_SOURCES)(
  "a stream whose writers are killed has each number once and in order, from any offset on",
  {
    timeout: 900_000,
  },
  async () => {
    using folder = temporaryFolder();
    const file = folder.file("store.db");
    await using provider = await SqliteProvider.open(file);
    const handle = await new Client(provider).start("counts", {
      instanceId: "i",
      input: { from: 0, end: COUNT },
    });
    let worker = start(file);
    let kills = 0;
    const all: StreamItem<number>[] = [];
    const live = new Map<number, { readonly value: number; readonly step: string | undefined }>();
    try {
      for await (const item of handle.stream<number>("numbers")) {
        if (item.reset !== undefined) {
          const { step, fromOffset } = item.reset;
          for (const [offset, each] of live)
            if (each.step === step && offset >= fromOffset) live.delete(offset);
        }
        if (item.value === undefined) continue;
        live.set(item.offset, { value: item.value, step: item.step });
        if (live.size < ((kills + 0.5) * COUNT) / KILLS) continue;
        kills++;
        worker.kill("SIGKILL");
        worker = start(file);
      }
    } finally {
      worker.kill("SIGKILL");
    }
    const numbers = Array.from({ length: COUNT }, (_, n) => n);
    expect([...live.values()].map(({ value }) => value)).toEqual(numbers);
    expect(kills).toBe(KILLS);
    for await (const item of handle.stream<number>("numbers")) if (item.value !== undefined) all.push(item);
    expect(all.map(({ value }) => value)).toEqual(numbers);
    const raw = await some(handle, 0, Number.POSITIVE_INFINITY);
    expect(raw.map(({ offset }) => offset)).toEqual(raw.map((_, index) => index));
    for (let n = 0; n < 30; n++) {
      const from = Math.floor((n / 30) * raw.length);
      expect(await some(handle, from, 5)).toEqual(raw.slice(from, from + 5));
    }
  },
);
