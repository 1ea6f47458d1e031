/** docs/guide/04-fan-out.md */
import { deepEqual, equal } from "node:assert/strict";
import { activity, CancelledError, type OrchestrationContext, orchestration } from "@duroxide-ts/core";
import { onStage } from "./stage.ts";

// #region all
const resize = activity("resize", async (_ctx, photo: string) => `${photo} resized`);

const album = orchestration("album", async (ctx, photos: string[]) => {
  const resized = await ctx.all(photos.map((photo) => ctx.scheduleActivity(resize, photo)));
  return resized.length;
});
// #endregion

await onStage({ activities: [resize], orchestrations: [album] }, async (stage) => {
  equal(await stage.finish(await stage.client.start(album, { input: ["a", "b", "c"] })), 3);
});

const pack = activity("pack", async (_ctx, item: string) => {
  if (item === "fragile") throw new Error("no bubble wrap left");
  return `${item} packed`;
});

// #region settled
const packAll = orchestration("packAll", async (ctx, items: string[]) => {
  const outcomes = await ctx.allSettled(items.map((item) => ctx.scheduleActivity(pack, item)));
  const packed = outcomes.filter((outcome) => outcome.status === "fulfilled").map(({ value }) => value);
  const failed = outcomes.filter((outcome) => outcome.status === "rejected").length;
  return { packed, failed };
});
// #endregion

await onStage({ activities: [pack], orchestrations: [packAll] }, async (stage) => {
  const run = await stage.client.start(packAll, { input: ["book", "fragile", "lamp"] });
  deepEqual(await stage.finish(run), { packed: ["book packed", "lamp packed"], failed: 1 });
});

let running = 0;
let mostAtOnce = 0;
const upload = activity("upload", async (_ctx, file: string) => {
  mostAtOnce = Math.max(mostAtOnce, ++running);
  await Promise.resolve();
  running--;
  return file.length;
});

// #region lanes
const uploadAll = orchestration("uploadAll", async (ctx, files: string[]) => {
  const waiting = [...files];
  const sizes: number[] = [];
  const lane = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      sizes.push(await ctx.scheduleActivity(upload, file));
    }
  };
  await ctx.all([lane(), lane()]); // two at a time
  return sizes.length;
});
// #endregion

await onStage({ activities: [upload], orchestrations: [uploadAll] }, async (stage) => {
  const run = await stage.client.start(uploadAll, { input: ["a", "bb", "ccc", "dddd", "eeeee"] });
  equal(await stage.finish(run), 5);
  equal(mostAtOnce <= 2, true);
});

const reminded: string[] = [];
const remind = activity("remind", async (_ctx, who: string) => {
  reminded.push(who);
});

// #region branch
async function remindEveryDay(branch: OrchestrationContext, who: string): Promise<never> {
  for (;;) {
    await branch.scheduleTimer({ days: 1 });
    await branch.scheduleActivity(remind, who);
  }
}

const invoice = orchestration("invoice", async (ctx, who: string) => {
  const winner = await ctx.race([
    ctx.waitForEvent("paid"),
    ctx.scheduleTimer({ days: 14 }),
    (branch) => remindEveryDay(branch, who),
  ]);
  return winner.index === 0 ? "paid" : "overdue";
});
// #endregion

await onStage({ activities: [remind], orchestrations: [invoice] }, async (stage) => {
  const run = await stage.client.start(invoice, { input: "Ada" });
  await stage.advance(3.5 * 24 * 3_600_000);
  await run.raise("paid");
  equal(await stage.finish(run), "paid");
  await stage.advance(7 * 24 * 3_600_000);
  deepEqual(reminded, ["Ada", "Ada", "Ada"]);
});

const released: string[] = [];
const hold = activity("hold", async (ctx, room: string): Promise<string> => {
  if (room === "attic") throw new Error("the attic is taken");
  await new Promise<void>((resolve) => ctx.signal.addEventListener("abort", () => resolve()));
  released.push(room);
  return room;
});

// #region scope
const holdAll = orchestration("holdAll", async (ctx, rooms: string[]) => {
  const scope = new AbortController();
  const { signal } = scope;
  const holds = rooms.map((room) => ctx.scheduleActivity(hold, room, { signal }));
  try {
    return await Promise.all(holds); // rejects with the first failure, while the others still run
  } catch (error) {
    scope.abort("one room is missing"); // cancels whatever of the scope is still running
    const outcomes = await ctx.allSettled(holds);
    const cancelled = outcomes.filter(
      (it) => it.status === "rejected" && CancelledError.is(it.reason, "cancelled"),
    );
    return `${(error as Error).message}; ${cancelled.length} holds cancelled`;
  }
});
// #endregion

await onStage({ activities: [hold], orchestrations: [holdAll] }, async (stage) => {
  const run = await stage.client.start(holdAll, { input: ["hall", "attic", "cellar"] });
  equal(await stage.finish(run), "the attic is taken; 2 holds cancelled");
  await stage.settle();
  deepEqual(released, ["hall", "cellar"]);
});

// #region generator
const generated = orchestration("generated", function* (ctx, photo: string): Generator<
  unknown,
  string,
  never
> {
  const resized: string = yield ctx.scheduleActivity(resize, photo);
  yield ctx.scheduleTimer({ minutes: 1 });
  return resized;
});
// #endregion

await onStage({ activities: [resize], orchestrations: [generated] }, async (stage) => {
  equal(await stage.finish(await stage.client.start(generated, { input: "cat" })), "cat resized");
});
