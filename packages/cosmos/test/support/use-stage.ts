/** A stage for each test of a file, in a container of its own on one endpoint of the file. */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { openStage, START_MS, type Stage } from "./stage.ts";

/** Called at the top of a test file. `take` is given the stage before each test. */
export function useStage(
  name: string,
  take: (stage: Stage, emulator: CosmosEmulator) => void | Promise<void>,
): void {
  let emulator: CosmosEmulator;
  let stages = 0;
  let stage: Stage;
  beforeAll(async () => {
    emulator = await CosmosEmulator.start({ port: 0, explorer: false });
  });
  afterAll(() => emulator[Symbol.asyncDispose]());
  beforeEach(async () => {
    const { connectionString } = emulator;
    stage = await openStage({ connectionString, container: `${name}-${stages++}` }, START_MS);
    await take(stage, emulator);
  });
  afterEach(async () => {
    emulator.faults.clear();
    await stage[Symbol.asyncDispose]();
  });
}
