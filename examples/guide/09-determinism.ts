/** docs/guide/09-determinism.md */
import { deepEqual, equal, match } from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { activity, type Logger, orchestration } from "@duroxide-ts/core";
import { onStage } from "./stage.ts";

const readConfig = activity("readConfig", async (_ctx, name: string) => `content of ${name}`);

// #region right
const right = orchestration("right", async (ctx, name: string) => {
  const startedMs = ctx.now(); // the same at every replay
  const id = await ctx.newGuid(); // recorded
  const winner = ctx.random() < 0.5 ? "heads" : "tails"; // the same at every replay
  await ctx.scheduleTimer({ seconds: 30 });
  const config = await ctx.scheduleActivity(readConfig, name); // the outside world
  return { id, winner, config, tookMs: ctx.now() - startedMs };
});
// #endregion

await onStage({ activities: [readConfig], orchestrations: [right] }, async (stage) => {
  const result = await stage.finish(await stage.client.start(right, { instanceId: "r", input: "a.json" }));
  equal(result.config, "content of a.json");
  equal(result.tookMs >= 30_000, true);
  match(result.id, /^[0-9a-f-]{36}$/);
});

// #region guard
const wrong = orchestration("wrong", async () => Date.now());
// #endregion

await onStage({ orchestrations: [wrong] }, async (stage) => {
  const handle = await stage.client.start(wrong);
  await stage.settle();
  const status = await handle.status();
  const [block] = "blocked" in status ? (status.blocked ?? []) : [];
  match(
    block?.detail ?? "",
    /Date\.now\(\) in orchestration code gives another result on every replay; use ctx\.now\(\), or await ctx\.utcNow\(\) for the worker's clock instead \(.*09-determinism\.ts:\d+:\d+\)$/,
  );
});

/** Stands for a library that reads the clock and draws random numbers. */
const library = { receipt: (item: string): string => `${item} ${Date.now()} ${crypto.randomUUID()}` };

// #region library
const receipts = orchestration("receipts", async (ctx, item: string) => {
  const receipt = await ctx.deterministic(() => library.receipt(item)); // the same at every replay
  await ctx.scheduleTimer({ seconds: 30 });
  return receipt;
});
// #endregion

await onStage({ orchestrations: [receipts] }, async (stage) => {
  const receipt = await stage.finish(await stage.client.start(receipts, { instanceId: "l", input: "shoes" }));
  match(receipt, /^shoes \d+ [0-9a-f-]{36}$/);
});

const warnings: string[] = [];
const ignore = (): void => {};
const logger: Logger = {
  debug: ignore,
  info: ignore,
  warn: (_fields, message) => {
    warnings.push(message);
  },
  error: ignore,
};

await onStage(
  // #region guard-warning
  { orchestrations: [wrong], determinismGuard: "warning", logger },
  // #endregion
  async (stage) => {
    equal(typeof (await stage.finish(await stage.client.start(wrong))), "number");
    equal(warnings.length > 0, true);
  },
);

// #region foreign
const reads = orchestration("reads", async () => {
  const text = await readFile("package.json", "utf8"); // a file is not durable
  return text.length;
});
// #endregion

await onStage({ orchestrations: [reads] }, async (stage) => {
  const run = await stage.client.start(reads);
  await stage.settle();
  const status = await run.status();
  const [blocked] = "blocked" in status ? (status.blocked ?? []) : [];
  match(
    blocked?.detail ?? "",
    // At the end of its turn, or, when the file was read meanwhile, at the end of the function.
    /^nondeterministic: .*something that is not durable/,
  );
});

const seen: string[] = [];

// #region once
const talkative = orchestration("talkative", async (ctx) => {
  ctx.log.info("begin"); // said once
  seen.push("begin"); // an effect outside: happens again at every replay
  await ctx.scheduleTimer(1_000);
  ctx.log.info({ replaying: ctx.isReplaying }, "end");
});
// #endregion

const said: string[] = [];
const listening: Logger = {
  ...logger,
  info: (fields, message) => {
    if (!("event" in fields) && "instance_id" in fields) said.push(message);
  },
};
await onStage({ orchestrations: [talkative], logger: listening, liveExecutions: 0 }, async (stage) => {
  await stage.finish(await stage.client.start(talkative));
  deepEqual(said, ["begin", "end"]);
  deepEqual(seen, ["begin", "begin"]);
});
