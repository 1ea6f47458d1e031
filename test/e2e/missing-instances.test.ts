/** A message for an instance that was never started, or has ended, rejects where it is sent. */
import { event, NotDeliveredError, orchestration, queue } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { started } from "../support/one-program.ts";
import { onEveryStore } from "../support/scenario.ts";

const approved = event<string>("approved", { keep: true });
const lines = queue<string>("lines");
const asks = orchestration("asks", async (ctx) => [
  await ctx.waitForEvent(approved),
  await ctx.dequeue(lines),
]);

async function errorOf(call: Promise<void>): Promise<NotDeliveredError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!NotDeliveredError.is(error)) throw new Error("the call did not fail with a NotDeliveredError");
  return error;
}

describe("a message", () => {
  onEveryStore("for an unknown id rejects, and its later start does not get it", async (start) => {
    const env = await start({ orchestrations: [asks] });
    const handle = env.client.handle(asks, "i");

    expect(await errorOf(handle.raise(approved, "early"))).toMatchObject({
      code: "not-found",
      instanceId: "i",
    });
    expect((await errorOf(handle.enqueue(lines, "early"))).code).toBe("not-found");
    expect((await errorOf(handle.raise("other", 1, { messageId: "m" }))).code).toBe("not-found");

    await env.client.start(asks, { instanceId: "i" });
    await handle.raise(approved, "Ada");
    await handle.enqueue(lines, "A-1");
    expect(await env.finish(handle)).toEqual(["Ada", "A-1"]);
  });

  onEveryStore("reaches a start that no worker has taken", async (start) => {
    const env = await start({ orchestrations: [asks] });
    await env.stop();
    const handle = await env.client.start(asks, { instanceId: "i" });
    await handle.raise(approved, "Ada");
    await handle.enqueue(lines, "A-1");
    await env.start();
    expect(await env.finish(handle)).toEqual(["Ada", "A-1"]);
  });

  onEveryStore("for an ended or deleted instance rejects; one that is repeated was sent", async (start) => {
    const { env, handle } = await started(start, asks);
    await handle.raise(approved, "Ada", { messageId: "approval-1" });
    await handle.enqueue(lines, "A-1");
    await env.finish(handle);

    expect((await errorOf(handle.raise(approved, "Grace"))).code).toBe("ended");
    expect((await errorOf(handle.enqueue(lines, "A-2"))).code).toBe("ended");
    await handle.raise(approved, "Ada", { messageId: "approval-1" });

    await env.client.admin.delete("i");
    expect((await errorOf(handle.enqueue(lines, "A-2"))).code).toBe("not-found");
  });
});
