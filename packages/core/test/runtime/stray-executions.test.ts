/** The defect of an execution whose code ran outside a turn (stray-executions.SX1, stray-executions.SX2). */
import { expect, it } from "vitest";
import { silentLogger } from "../../src/define/logger.ts";
import { ReplayFailure } from "../../src/replay/replay-failure.ts";
import { StrayExecutions } from "../../src/runtime/trouble/stray-executions.ts";
import { MemoryProvider } from "../../src/testing/index.ts";
import { startItem } from "../support/work-items.ts";

const { details } = ReplayFailure.outsideTurn("a call");
const STRAY = { instanceId: "i", executionId: 1, details, location: undefined };
const FETCH = { lockTimeoutMs: 1_000, pollTimeoutMs: 0 };

it("sends the instance a message for no execution (stray-executions.SX1)", async () => {
  await using provider = new MemoryProvider();
  await provider.enqueueForOrchestrator(startItem("i", "job"));
  new StrayExecutions({ provider, logger: silentLogger }).found(STRAY);
  const fetched = await provider.fetchOrchestrationItem(FETCH);
  expect(fetched?.item.messages).toContainEqual(
    expect.objectContaining({ kind: "TimerFired", execution_id: 0 }),
  );
});

it("is taken once, by a turn of its execution (stray-executions.SX2)", async () => {
  await using provider = new MemoryProvider();
  const strays = new StrayExecutions({ provider, logger: silentLogger });
  strays.found(STRAY);
  expect([strays.take("other", 1), strays.take("i", 1), strays.take("i", 1)]).toEqual([
    undefined,
    details,
    undefined,
  ]);
});

it("is dropped by a turn of a later execution (stray-executions.SX2)", async () => {
  await using provider = new MemoryProvider();
  const strays = new StrayExecutions({ provider, logger: silentLogger });
  strays.found(STRAY);
  expect([strays.take("i", 2), strays.has("i")]).toEqual([undefined, false]);
});
