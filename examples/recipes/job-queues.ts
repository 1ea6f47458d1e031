/** docs/recipes/job-queues.md */
import { deepEqual, equal } from "node:assert/strict";
import { type Client, orchestration, schedule } from "@duroxide-ts/core";
import { TestEnvironment } from "@duroxide-ts/core/testing";

const sent: string[] = [];
let isDown = false;
const smtp = {
  send: async (to: string, _key: string) => {
    if (isDown) throw new Error("connection refused");
    sent.push(to);
  },
};

// #region worker
const sendMail = orchestration("sendMail", async (ctx, { to }: { to: string }) => {
  ctx.setCustomStatus("sending");
  return ctx.run("send", (step) => smtp.send(to, step.callKey), {
    retry: { maxAttempts: 3, backoff: { kind: "exponential", base: { seconds: 1 } } },
    timeout: { seconds: 30 },
    limit: "smtp",
  });
});

const digest = schedule("digest", { cron: "0 7 * * *", orchestration: sendMail, input: { to: "all" } });
// #endregion

// #region add
async function addJobs(client: Client): Promise<void> {
  await client.limits.set("smtp", { concurrency: 5, rate: { max: 10, per: { seconds: 1 } } });
  await client.start(sendMail, { instanceId: "welcome-42", input: { to: "ada" } }); // once for each id
  await client.start(sendMail, { input: { to: "grace" }, after: { hours: 1 } });
  await client.start(sendMail, { input: { to: "bob" }, limit: "mails", priority: 1 });
}
// #endregion

await using env = await TestEnvironment.create({
  orchestrations: [sendMail],
  schedules: [digest],
  startMs: Date.parse("2026-11-29T12:00:00Z"),
});
await addJobs(env.client);
await addJobs(env.client);
await env.advance({ seconds: 5 }); // the limit lets them begin one after the other
deepEqual(sent.toSorted(), ["ada", "bob", "bob"]);
await env.advance({ hours: 20 });
deepEqual(sent.toSorted(), ["ada", "all", "bob", "bob", "grace", "grace"]);

// #region failed
/** Gives each job that failed another try, and returns how many there were. */
async function retryFailed(client: Client): Promise<number> {
  const { instances } = await client.admin.query({ filter: { name: ["sendMail"], status: ["Failed"] } });
  for (const { instanceId } of instances) await client.admin.retry(instanceId);
  return instances.length;
}
// #endregion
isDown = true;
const failed = await env.start(sendMail, { input: { to: "linus" } });
env.ignoreFailures(failed);
await env.advance({ minutes: 1 });
isDown = false;
equal(await retryFailed(env.client), 1);
await failed.runToEnd();
equal(sent.at(-1), "linus");
