/** docs/guide/17-hosting.md */
import { equal } from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { activity, Client, type Drained, orchestration, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { onStage } from "./stage.ts";

const work = activity("work", async (_ctx, n: number) => n * 2);
const job = orchestration("job", async (ctx, n: number) => ctx.scheduleActivity(work, n));

// #region web
/** `PUT /id` starts a job once, however often it is repeated; `GET /id` says how far it is. */
function jobs(client: Client): RequestListener {
  return async ({ method, url = "" }, response) => {
    try {
      const instanceId = url.slice(1);
      if (method === "PUT") await client.start(job, { instanceId, input: 21 });
      const { status } = await client.handle(job, instanceId).status();
      response.writeHead(method === "PUT" ? 202 : 200).end(status);
    } catch (error) {
      response.writeHead(503).end(String(error)); // the store does not answer: the caller repeats the request
    }
  };
}
// #endregion

const folder = mkdtempSync(join(tmpdir(), "hosting-"));
const file = join(folder, "jobs.db");

// #region drain
const SPARE_MS = 5_000; // for the grace, and for closing

/** A function that the host calls each minute, here in the form of AWS Lambda. */
async function handler(_event: unknown, { getRemainingTimeInMillis }: Invocation): Promise<Drained> {
  await using provider = await SqliteProvider.open(file);
  await using runtime = await Runtime.start({
    provider,
    orchestrations: [job],
    activities: [work],
    reportWorker: false,
  });
  const leftMs = Math.max(0, getRemainingTimeInMillis() - SPARE_MS);
  return runtime.drain({ until: leftMs, graceMs: 3_000 });
}

interface Invocation {
  getRemainingTimeInMillis(): number;
}
// #endregion

await onStage({ activities: [work], orchestrations: [job] }, async (stage) => {
  const { client } = stage;
  const server = createServer(jobs(client)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/order-7`;
  for (const _ of ["first", "again"]) equal((await fetch(address, { method: "PUT" })).status, 202);
  await stage.finish(client.handle(job, "order-7"));
  equal(await (await fetch(address)).text(), "Completed");
  server.close();
  server.closeAllConnections();
});

{
  await using provider = await SqliteProvider.open(file);
  await new Client(provider).start(job, { instanceId: "order-8", input: 4 });
}
equal((await handler({}, { getRemainingTimeInMillis: () => 60_000 })).reason, "idle");
{
  await using provider = await SqliteProvider.open(file);
  equal(await new Client(provider).handle(job, "order-8").result(), 8);
}
rmSync(folder, { recursive: true });
