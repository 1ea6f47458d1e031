/** docs/guide/21-limits.md */
import { deepEqual, equal } from "node:assert/strict";
import { activity, orchestration } from "@duroxide-ts/core";
import { onStage } from "./stage.ts";

let running = 0;
let most = 0;
const order: string[] = [];
const get = async (path: string): Promise<string> => {
  running++;
  most = Math.max(most, running);
  order.push(path);
  await new Promise((resolve) => setImmediate(resolve));
  running--;
  return `answer to ${path}`;
};

// #region partner
const callPartner = activity("callPartner", { limit: "partner" }, async (_ctx, path: string) => get(path));

const importAll = orchestration("importAll", async (ctx, paths: string[]) =>
  ctx.all(paths.map((path) => ctx.scheduleActivity(callPartner, path))),
);
// #endregion

await onStage({ orchestrations: [importAll], activities: [callPartner] }, async (stage) => {
  const { client } = stage;
  // #region rule
  await client.limits.set("partner", { concurrency: 5, rate: { max: 10, per: { seconds: 1 } } });
  // #endregion
  const paths = Array.from({ length: 30 }, (_, n) => `/items/${n}`);
  const run = await client.start(importAll, { input: paths });
  equal((await stage.finish(run)).length, 30);
  equal(most <= 5, true);
  // #region look
  const { running, waiting, oldestWaitingMs } = await client.limits.get("partner");
  // #endregion
  deepEqual([running, waiting, oldestWaitingMs], [0, 0, 0]);
});

const model = async (question: string): Promise<string> => get(question);

// #region tenants
const answer = orchestration(
  "answer",
  async (ctx, { tenant, question }: { tenant: string; question: string }) =>
    ctx.run("ask", () => model(question), { limit: `openai/${tenant}` }),
);
// #endregion

order.length = 0;
await onStage({ orchestrations: [answer] }, async (stage) => {
  const { client } = stage;
  // #region levels
  await client.limits.set("openai/*", { concurrency: 3 }); // each tenant
  await client.limits.set("openai", { concurrency: 20 }); // all of them together
  await client.limits.set("openai/acme", { concurrency: 10 }, { by: "ada", reason: "a new contract" });
  // #endregion
  const run = await client.start(answer, { input: { tenant: "acme", question: "why?" } });
  equal(await stage.finish(run), "answer to why?");
  deepEqual(
    (await client.limits.list()).map(({ key }) => key),
    ["openai", "openai/*", "openai/acme"],
  );
});

const importOne = orchestration("importOne", async (_ctx, file: string) => `imported ${file}`);

await onStage({ orchestrations: [importOne] }, async (stage) => {
  const { client } = stage;
  // #region starts
  await client.limits.set("imports/*", { concurrency: 2 });
  const run = await client.start(importOne, { input: "a.csv", limit: "imports/acme", priority: 1 });
  // #endregion
  equal(await stage.finish(run), "imported a.csv");
});

const reindex = orchestration("reindex", async (_ctx, version: number) => version);

await onStage({ orchestrations: [reindex] }, async (stage) => {
  const { client } = stage;
  const changed = async (version: number) => {
    // #region debounce
    const debounce = { wait: { seconds: 30 }, max: { minutes: 5 } };
    return client.start(reindex, { instanceId: "index-42", input: version, debounce, ifExists: "restart" });
    // #endregion
  };
  await changed(1);
  const run = await changed(2);
  await stage.clock.advance(31_000);
  equal(await stage.finish(run), 2);
});

const render = activity("render", async (_ctx, page: string) => get(page));

// #region night
const nightly = orchestration("nightly", async (ctx, pages: string[]) =>
  ctx.all(pages.map((page) => ctx.scheduleActivity(render, page, { limit: "render/batch", priority: 5 }))),
);
const preview = orchestration("preview", async (ctx, page: string) =>
  ctx.scheduleActivity(render, page, { limit: "render/people", priority: 1 }),
);
// #endregion

order.length = 0;
await onStage({ orchestrations: [nightly, preview], activities: [render] }, async (stage) => {
  const { client } = stage;
  // #region shares
  await client.limits.set("render", { concurrency: 8 });
  await client.limits.set("render/batch", { concurrency: 6 }); // two are always left for people
  // #endregion
  const batch = await client.start(nightly, { input: ["a", "b"] });
  equal((await stage.finish(batch)).length, 2);
  equal(await stage.finish(await client.start(preview, { input: "p" })), "answer to p");
});
