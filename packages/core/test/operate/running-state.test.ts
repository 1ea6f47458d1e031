/** The states of a running instance that only its history tells. */
import { orchestration } from "@duroxide-ts/core";
import { runningState } from "@duroxide-ts/core/operate";
import { TestEnvironment } from "@duroxide-ts/core/testing";
import { expect, test } from "vitest";

const order = orchestration("order", async (ctx) => {
  const saga = ctx.saga();
  await saga.run(
    "reserve",
    () => 1,
    () => {
      throw new Error("the shop is closed");
    },
  );
  await ctx.waitForEvent("go");
  throw new Error("declined");
});

test("an instance whose saga undoes what it has done is compensating, and after a cancellation cancelling", async () => {
  await using env = await TestEnvironment.create({ orchestrations: [order] });
  env.ignoreFailures();
  const [failing, cancelled] = [await env.start(order), await env.start(order)];
  const stateOf = async (id: string) => runningState(await env.client.admin.timeline(id));
  await env.settle();
  expect(await stateOf(failing.instanceId)).toBe("waiting");

  await failing.raise("go");
  await env.client.handle(order, cancelled.instanceId).cancel("enough");
  await env.settle();

  expect(await stateOf(failing.instanceId)).toBe("compensating");
  expect(await stateOf(cancelled.instanceId)).toBe("cancelling");
});
