/** Sending again after an answer that was lost: delivered once. */
import { Client, orchestration, ProviderError } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { type Environment, startEnvironment } from "../support/environment.ts";
import { Faults, fault } from "../support/faulty-provider.ts";
import { begun } from "../support/one-program.ts";
import { onEveryStore } from "../support/scenario.ts";

const till = orchestration("till", async (ctx) => {
  const read: unknown[] = [];
  for (;;) {
    const payment = await ctx.dequeue("payments");
    if (payment === "close") return read;
    read.push(payment);
  }
});

async function errorOf(call: Promise<unknown>): Promise<ProviderError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!ProviderError.is(error)) throw new Error("the call did not fail with a ProviderError");
  return error;
}

describe("a message id", () => {
  onEveryStore("of the caller delivers once, while the message waits and when it was read", async (start) => {
    const { env, handle } = await begun(start, till);
    const pay = () => handle.enqueue("payments", "pay 100", { messageId: "order-7" });
    await Promise.all([pay(), pay()]);
    await env.settle();
    await pay();
    await handle.enqueue("payments", "close");

    expect(await env.finish(handle)).toEqual(["pay 100"]);
  });

  onEveryStore("belongs to its queue or event", async (start) => {
    const { env, handle } = await begun(start, till, { messageId: "PAY-7" });
    for (const _ of [1, 2]) {
      await handle.enqueue("comments", "hello", { messageId: "PAY-7" });
      await handle.raise("comments", "hello", { messageId: "PAY-7" });
      await handle.enqueue("payments", 100, { messageId: "PAY-7" });
    }
    await handle.enqueue("payments", "close");

    expect(await env.finish(handle)).toEqual([100]);
  });

  it("that a failed call names repeats the message that was stored", async () => {
    await using env: Environment = await startEnvironment({ orchestrations: [till] });
    const faults = new Faults();
    const { provider, clock } = env;
    await env.begin(till);
    const handle = new Client(faults.wrap(provider), { clock }).handle(till, "i");
    faults.on("enqueueForOrchestrator", async (_call, args) => {
      await provider.enqueueForOrchestrator(...(args as Parameters<typeof provider.enqueueForOrchestrator>));
      throw fault("enqueueForOrchestrator", "unavailable");
    });
    const error = await errorOf(handle.enqueue("payments", "pay 100"));
    const { messageId = "" } = error;
    expect(error).toMatchObject({ code: "unavailable", retryable: true });
    expect(error.message).toContain(messageId);
    faults.off("enqueueForOrchestrator");
    await handle.enqueue("payments", "pay 100", { messageId });
    await handle.enqueue("payments", "close");

    expect(await env.finish(handle)).toEqual(["pay 100"]);
  });

  it("is in the error, but no advice to repeat, where nothing can have been stored", async () => {
    await using env: Environment = await startEnvironment({ orchestrations: [till] });
    const faults = new Faults();
    faults.on("enqueueForOrchestrator", () => {
      throw fault("enqueueForOrchestrator", "store-full");
    });
    const handle = new Client(faults.wrap(env.provider)).handle(till, "i");
    const error = await errorOf(handle.raise("e", 1, { messageId: "mine" }));

    expect(error).toMatchObject({ code: "store-full", messageId: "mine" });
    expect(error.message).not.toContain("repeat");
  });

  it("of no or too many characters is refused before anything is sent", async () => {
    await using env: Environment = await startEnvironment({ orchestrations: [till] });
    for (const messageId of ["", "x".repeat(201)]) {
      const sending = env.client.handle(till, "i").raise("e", 1, { messageId });
      await expect(sending).rejects.toMatchObject({ code: "invalid-input" });
    }
  });
});

describe("an event that comes when no wait is open", () => {
  it("is one warning with its name, once a minute for each instance", async () => {
    await using env: Environment = await startEnvironment({ orchestrations: [till] });
    const handle = await env.begin(till);
    for (let n = 0; n < 5; n++) {
      await handle.raise("nobody waits");
      await env.settle();
    }
    await env.advance(60_000);
    await handle.raise("nobody waits");
    await env.settle();

    const warnings = env.log.entries.filter(({ fields }) => fields["event"] === "event_dropped");
    expect(warnings).toMatchObject([
      { level: "warn", fields: { instance_id: "i", event_name: "nobody waits", count: 1 } },
      { level: "warn", fields: { instance_id: "i", count: 5 } },
    ]);
  });
});
