/** How many requests one firing of a schedule makes, with the run of one activity that it starts. */
import { activity, orchestration, schedule } from "@duroxide-ts/core";
import type { RequestInfo } from "@duroxide-ts/cosmos";
import { expect, it } from "vitest";
import { startEnvironment } from "../../../../test/support/environment.ts";
import { cosmosOn } from "../../../../test/support/stores/cosmos.ts";
import { connectionStringOf, openInProcess, requestsTo } from "../../../../test/support/stores/in-process.ts";

const greet = activity("greet", async (_ctx, name: string) => `Hello, ${name}`);
const hello = orchestration("hello", async (ctx) => ctx.scheduleActivity(greet, "you"));

/** Operations of processes whether or not there is work. */
const WITHOUT_WORK: readonly string[] = [
  "cleanupOrphanedSessions",
  "listBlocked",
  "renewMembership",
  "reconcile",
  "renewSessionLocks",
];
const HOUR_MS = 3_600_000;

it("a firing and its run take three requests more than the same run started by a client", async () => {
  await using endpoint = openInProcess();
  const log: RequestInfo[] = [];
  const connectionString = connectionStringOf(endpoint);
  const options = { onRequest: (info: RequestInfo) => log.push(info) };
  const store = cosmosOn({ connectionString }, options, undefined, requestsTo(endpoint));
  await using env = await startEnvironment({
    store,
    orchestrations: [hello],
    activities: [greet],
    options: {
      orchestrationConcurrency: 8,
      schedules: [schedule("hourly", { every: { hours: 1 }, orchestration: hello })],
    },
  });
  await env.advance(3 * HOUR_MS);
  log.length = 0;
  await env.advance(HOUR_MS);
  const firing = log.filter(({ operation, kind, results }) => {
    return !WITHOUT_WORK.includes(operation) && !(kind === "scan" && results === 0);
  });
  const requests = firing.map(({ operation, kind }) => `${operation} ${kind}`);
  const charge = firing.reduce((sum, info) => sum + info.charge, 0);
  expect(requests, `${requests.join("\n")}\n${charge}`).toHaveLength(5);
});
