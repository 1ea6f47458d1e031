/** docs/guide/19-sagas.md */
import { deepEqual, equal } from "node:assert/strict";
import { activity, orchestration } from "@duroxide-ts/core";
import { inState } from "@duroxide-ts/core/operate";
import { onStage } from "./stage.ts";

const log: string[] = [];
let bankIsOpen = true;
const stock = {
  reserve: async (id: string) => `seat of ${id}`,
  release: async (seat: string) => void log.push(`release ${seat}`),
};
const bank = {
  refund: async (receipt: string) => {
    if (!bankIsOpen) throw new Error("the bank is closed");
    log.push(`refund ${receipt}`);
  },
};
const charge = activity("charge", async (_ctx, cents: number) => `receipt ${cents}`);

// #region saga
const order = orchestration("order", async (ctx, id: string) => {
  const saga = ctx.saga();
  const seat = await saga.run(
    "reserve",
    () => stock.reserve(id),
    (seat) => stock.release(seat),
  );
  await saga.schedule(charge, 100, { undo: (receipt) => bank.refund(receipt) });
  await ctx.run("print", () => {
    if (id === "bad") throw new Error("no paper");
  });
  await ctx.waitForEvent("collected");
  return seat;
});
// #endregion

await onStage({ orchestrations: [order], activities: [charge] }, async (stage) => {
  const { client } = stage;
  const failed = await client.start(order, { instanceId: "bad", input: "bad" });
  equal(await stage.finish(failed).catch((error: Error) => error.message), "no paper");
  deepEqual(log.splice(0), ["refund receipt 100", "release seat of bad"]);

  const cancelled = await client.start(order, { instanceId: "a", input: "a" });
  await stage.settle();
  await cancelled.cancel("changed my mind");
  equal(await stage.finish(cancelled).catch((error: Error) => error.message), "canceled: changed my mind");
  deepEqual(log.splice(0), ["refund receipt 100", "release seat of a"]);

  bankIsOpen = false;
  const left = await client.start(order, { instanceId: "b", input: "b" });
  await stage.settle();
  await left.cancel("changed my mind");
  await stage.finish(left).catch(() => {});
  deepEqual(log.splice(0), ["release seat of b"]);
  // #region left
  const { instances } = await client.admin.query({ filter: inState({}, "clean-up-failed") });
  for (const { instanceId } of instances) await client.admin.retry(instanceId);
  // #endregion
  bankIsOpen = true;
  await stage.advance(60_000);
  deepEqual(log, ["refund receipt 100"]);
});
