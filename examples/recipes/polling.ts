/** docs/recipes/polling.md */
import { deepEqual, equal } from "node:assert/strict";
import { orchestration, RetryAfterError } from "@duroxide-ts/core";
import { TestEnvironment } from "@duroxide-ts/core/testing";

const looks: number[] = [];
const renderer = {
  start: async (file: string, _key: string) => `job of ${file}`,
  state: async (_job: string): Promise<"running" | "done" | "failed"> =>
    looks.push(0) < 5 ? "running" : "done",
};

// #region poll
const render = orchestration("render", async (ctx, file: string) => {
  const job = await ctx.run("start", (step) => renderer.start(file, step.callKey));
  const giveUpMs = ctx.now() + 3_600_000;
  for (let seconds = 1; ctx.now() < giveUpMs; seconds = Math.min(seconds * 2, 60)) {
    const state = await ctx.run("look", () => renderer.state(job));
    if (state === "done") return job;
    if (state === "failed") throw new Error(`${job} has failed`);
    await ctx.scheduleTimer({ seconds }); // occupies no worker, and survives a restart
  }
  throw new Error(`${job} took longer than an hour`);
});
// #endregion

// #region retry
const fetchReport = orchestration("fetchReport", async (ctx, job: string) =>
  ctx.run(
    "fetch",
    async () => {
      const state = await renderer.state(job);
      if (state === "running") throw new RetryAfterError({ seconds: 10 }, `${job} is not ready`);
      return state;
    },
    { retry: { maxAttempts: 360 }, totalTimeout: { hours: 1 } },
  ),
);
// #endregion

await using env = await TestEnvironment.create({ orchestrations: [render, fetchReport] });
const run = await env.start(render, { input: "film.mp4" });
const begun = env.clock.now();
equal(await run.runToEnd(), "job of film.mp4");
equal(env.clock.now() - begun, (1 + 2 + 4 + 8) * 1_000);
looks.splice(0);
const report = await env.start(fetchReport, { input: "job-1" });
equal(await report.runToEnd(), "done");
deepEqual(env.calls("fetch").length, 5);
