/** Checks that a client that waits sends no request for an end that its own process has just committed. */
import { expect, it } from "vitest";
import type { Stage } from "./support/stage.ts";
import { begin, carryOut } from "./support/steps.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("watched-instances");

/** The status that the next look sees, and the requests that it sends. */
async function look({ provider, trap }: Pick<Stage, "provider" | "trap"> = stage): Promise<{
  readonly status: string | undefined;
  readonly requests: number;
}> {
  trap.set(undefined);
  const status = await provider.getInstanceStatus("a");
  return { status: status?.status, requests: trap.labels.length };
}

async function end(): Promise<void> {
  await begin(stage, "a");
  await carryOut(stage, "a", { end: true });
}

it("the look of a watcher after the end sends no request", async () => {
  stage.provider.watchInstance("a", () => undefined);
  await end();
  const { provider } = await stage.openAnother();
  expect(await look()).toEqual({ status: "Completed", requests: 0 });
  expect(await stage.provider.getInstanceStatus("a")).toEqual(await provider.getInstanceStatus("a"));
});

it.each([
  ["nobody watches", () => undefined],
  ["the watcher has gone", () => stage.provider.watchInstance("a", () => undefined)()],
])("where %s, a look reads the store", async (_, watch) => {
  watch();
  await end();
  expect(await look()).toEqual({ status: "Completed", requests: 1 });
});

// watched-instances.WI2
it("once the last watcher has gone, a look reads the store", async () => {
  const removals = [1, 2].map(() => stage.provider.watchInstance("a", () => undefined));
  await end();
  removals[0]?.();
  expect((await look()).requests).toBe(0);
  removals[1]?.();
  expect(await look()).toEqual({ status: "Completed", requests: 1 });
});

// watched-instances.WI1
it("a turn that ends nothing has the watcher read the store", async () => {
  stage.provider.watchInstance("a", () => undefined);
  await begin(stage, "a");
  expect(await look()).toEqual({ status: "Running", requests: 1 });
});

// watched-instances.WI1
it("the deletion of this process is seen at once, that of another after a second", async () => {
  stage.provider.watchInstance("a", () => undefined);
  await end();
  await stage.provider.admin.deleteInstance("a", { force: false });
  expect((await look()).status).toBeUndefined();

  await end();
  const { provider } = await stage.openAnother();
  await provider.admin.deleteInstance("a", { force: false });
  await stage.clock.advance(1_000);
  expect((await look()).status).toBeUndefined();
});
