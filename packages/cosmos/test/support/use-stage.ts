/** A stage for each test of a file, in a container of its own on one endpoint of the file. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { startEndpoint, type TestEndpoint } from "./endpoint.ts";
import { openStage, START_MS, type Stage } from "./stage.ts";

/** Called at the top of a test file. `take` is given the stage before each test. */
export function useStage(
  name: string,
  take: (stage: Stage, emulator: TestEndpoint) => void | Promise<void>,
): void {
  let emulator: TestEndpoint;
  let stages = 0;
  let stage: Stage;
  beforeAll(async () => {
    emulator = await startEndpoint();
  });
  afterAll(() => emulator[Symbol.asyncDispose]());
  beforeEach(async () => {
    const { connectionString, send } = emulator;
    stage = await openStage({ connectionString, container: `${name}-${stages++}` }, START_MS, send);
    await take(stage, emulator);
  });
  afterEach(async () => {
    emulator.faults.clear();
    await stage[Symbol.asyncDispose]();
  });
}
