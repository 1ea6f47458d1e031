/** docs/guide/11-clients-and-administration.md */
import { deepEqual, equal } from "node:assert/strict";
import {
  Client,
  DuroxideError,
  event,
  type InstanceHandle,
  OrchestrationFailedError,
  orchestration,
  queue,
} from "@duroxide-ts/core";
import { onStage, type Stage } from "./stage.ts";

const approved = event<boolean>("approved");
const notes = queue<string>("notes");

const review = orchestration("review", async (ctx, title: string): Promise<string> => {
  ctx.setCustomStatus("waiting");
  const note = await ctx.dequeue(notes);
  if (!(await ctx.waitForEvent(approved))) throw new Error(`${title} was refused: ${note}`);
  return `${title}: ${note}`;
});

// #region describe
async function describe(handle: InstanceHandle<string>): Promise<string> {
  const status = await handle.status();
  switch (status.status) {
    case "NotFound":
      return "not started yet, or unknown";
    case "Scheduled":
      return `begins at ${new Date(status.startsAtMs).toISOString()}`;
    case "Waiting":
      return `waits for limit ${status.limit}`;
    case "Running":
      return `execution ${status.executionId}: ${status.customStatus}`;
    case "Completed":
      return `done: ${status.output}`; // a string, as the orchestration says
    case "Failed":
    case "Cancelled":
      return `${status.status.toLowerCase()}: ${status.message}`;
  }
}
// #endregion

await onStage({ orchestrations: [review], reportWorker: true }, async (stage) => {
  const { provider } = stage;
  {
    // #region start
    const client = new Client(provider); // in any process that reaches the store; it needs no runtime
    const handle = await client.start(review, { instanceId: "review-1", input: "Chapter 1" });
    const anonymous = await client.start(review, { input: "Chapter 2" }); // its id is a random UUID
    const known = client.handle(review, "review-1"); // asks nothing: an id and the types
    // #endregion
    // #region start-with
    const careful = await client.start(review, {
      instanceId: "review-9",
      input: "Chapter 9",
      enqueue: [{ queue: notes, message: "well written" }], // in one commit with the start: cannot be lost
      ifExists: "fail", // or "restart", or "reuse", which is the default
      timeout: { days: 30 }, // of the whole instance
    });
    // #endregion
    const taken = await client
      .start(review, { instanceId: "review-9", input: "", ifExists: "fail" })
      .catch((error: unknown) => error);
    equal(DuroxideError.is(taken, "already-exists"), true);
    await stage.settle();
    await careful.raise(approved, true);
    equal(await stage.finish(careful), "Chapter 9: well written");
    await client.admin.delete("review-9");
    equal(handle.instanceId, known.instanceId);
    equal(anonymous.instanceId.length, 36);
    equal(await describe(client.handle(review, "nobody")), "not started yet, or unknown");
    await stage.settle();
    equal(await describe(known), "execution 1: waiting");
  }
  const { client } = stage;
  {
    // #region steer
    const handle = client.handle(review, "review-1");
    await handle.enqueue(notes, "well written"); // kept until it is read
    await stage.settle();
    await handle.raise(approved, true); // only for a wait that is open
    // #endregion
    equal(await stage.finish(handle), "Chapter 1: well written");
    equal(await describe(handle), "done: Chapter 1: well written");
  }
  {
    // #region wait
    const handle = await client.start(review, { instanceId: "review-3", input: "Chapter 3" });
    await handle.cancel("no longer needed");
    const outcome = await handle.result({ timeout: { seconds: 30 } }).catch((error: unknown) => {
      if (OrchestrationFailedError.is(error, "orchestration-failed")) return error.message;
      if (DuroxideError.is(error, "timeout")) return "still running; ask again later";
      throw error; // a ProviderError: the store cannot be reached, say
    });
    // #endregion
    equal(outcome, "canceled: no longer needed");
  }
  {
    // #region list
    const running: string[] = [];
    for await (const id of client.admin.instances({ status: "Running" })) running.push(id);
    const info = await client.admin.info("review-1");
    const metrics = await client.admin.metrics();
    const depths = await client.admin.queueDepths();
    // #endregion
    equal(running.length, 1);
    equal(info.status, "Completed");
    deepEqual([metrics.totalInstances, metrics.failedInstances], [3, 1]);
    equal(depths.workerQueue, 0);
  }
  await askQueries(client, stage);
  {
    // #region history
    const events = await client.admin.history("review-1"); // or handle.history()
    const types = events.map(({ type }) => type);
    // #endregion
    deepEqual(types, [
      "OrchestrationStarted",
      "CustomStatusUpdated",
      "ExternalSubscribedPersistent",
      "ExternalEventPersistent",
      "ExternalSubscribed",
      "ExternalEvent",
      "OrchestrationCompleted",
    ]);
  }
  {
    // #region delete
    const one = await client.admin.delete("review-3"); // with its children; only when it has ended
    const old = await client.admin.deleteAll({ completedBeforeMs: stage.clock.now() + 1, limit: 100 });
    const refused = await client.admin
      .delete((await firstRunning(client)) ?? "")
      .catch((error: unknown) => (error as { readonly code: string }).code);
    // #endregion
    equal(one.instancesDeleted, 1);
    equal(old.instancesDeleted, 1);
    equal(refused, "instance-still-running");
  }
});

async function firstRunning(client: Client): Promise<string | undefined> {
  for await (const id of client.admin.instances({ status: "Running" })) return id;
  return undefined;
}

async function askQueries(client: Client, stage: Stage): Promise<void> {
  // #region query
  const hourAgoMs = stage.clock.now() - 3_600_000;
  const filter = { status: ["Failed", "Cancelled"], name: ["review"], updatedFromMs: hourAgoMs } as const;
  const reasons: string[] = [];
  let continuation: string | undefined;
  do {
    const page = await client.admin.query({ filter, limit: 50, ...(continuation && { continuation }) });
    for (const { instanceId, failure } of page.instances) reasons.push(`${instanceId}: ${failure?.message}`);
    continuation = page.continuation;
  } while (continuation !== undefined);

  const { counts } = await client.admin.count({ rootsOnly: true }, ["name", "version", "status"]);
  const { work } = await client.admin.work({ instanceId: "review-1", overdueByMs: 60_000 });
  const workers = await client.admin.workers(); // host, pid, handlers and busy slots of each process
  // #endregion
  deepEqual(reasons, ["review-3: no longer needed"]);
  equal(
    counts.reduce((sum, { count }) => sum + count, 0),
    3,
  );
  equal(work.length, 0);
  equal(workers.length, 1);
}
