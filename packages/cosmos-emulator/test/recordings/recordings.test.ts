/**
 * The recordings in this folder, sent to this endpoint again: what the hosted service answered once is what the endpoint
 * answers. `npm run dev -- azure-check … --record packages/cosmos-emulator/test/recordings` makes them.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { FORMAT_VERSION, type Recording } from "../../conformance/recordings/recording.ts";
import { replay } from "../../conformance/recordings/replay.ts";

const RECORDINGS = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".json"));

describe("the recordings of other endpoints", () => {
  it("are of the hosted service", () => {
    const others = RECORDINGS.filter((name) => read(name).recordedFrom !== "azure");
    expect(others, "what was not recorded there proves nothing here").toEqual([]);
  });

  for (const name of RECORDINGS) {
    it(`${name} is answered as it was`, async () => {
      const recording = read(name);
      expect(recording.formatVersion, "record it again").toBe(FORMAT_VERSION);
      const { physicalPartitions } = recording;
      await using emulator = await CosmosEmulator.start({ port: 0, physicalPartitions });
      expect(await replay(recording, emulator.endpoint, emulator.key)).toEqual([]);
    });
  }
});

function read(name: string): Recording {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, name), "utf8")) as Recording;
}
