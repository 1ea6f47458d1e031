/** A stage for each test of a file, in a container of its own on one endpoint of the file. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { startEndpoint, type TestEndpoint } from "./endpoint.ts";
import { openStage, START_MS, type Stage } from "./stage.ts";

export interface TestStage extends Stage {
  readonly endpoint: TestEndpoint;
}

/** Called at the top of a test file. The object is another stage in each test; `prepare` is called before each. */
export function useStage(name: string, prepare?: () => unknown): TestStage {
  const stage = {} as TestStage;
  let endpoint: TestEndpoint;
  let stages = 0;
  beforeAll(async () => {
    endpoint = await startEndpoint();
  });
  afterAll(() => endpoint[Symbol.asyncDispose]());
  beforeEach(async () => {
    const { connectionString, send } = endpoint;
    const opened = await openStage({ connectionString, container: `${name}-${stages++}` }, START_MS, send);
    Object.assign(stage, opened, { endpoint });
    await prepare?.();
  });
  afterEach(async () => {
    endpoint.faults.clear();
    await stage[Symbol.asyncDispose]();
  });
  return stage;
}
