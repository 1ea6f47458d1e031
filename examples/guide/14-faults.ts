/** docs/guide/14-faults.md */
import { equal } from "node:assert/strict";
import {
  activity,
  event,
  orchestration,
  type Provider,
  ProviderError,
  Runtime,
  type StandardSchema,
  silentLogger,
} from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { onStage } from "./stage.ts";

/** Stands for a handler that ends its process: it never answers, and the process is then replaced. */
const crashes = activity("crashes", () => new Promise<never>(() => {}));
const caller = orchestration("caller", async (ctx) =>
  ctx.scheduleActivity(crashes).catch((error: Error) => error.message),
);
const handlers = { activities: [crashes], orchestrations: [caller] };

await onStage(handlers, async (stage) => {
  const run = await stage.client.start(caller);
  await stage.advance(1_000);
  for (let crash = 0; crash < 13; crash++) {
    equal((await run.status()).status, "Running");
    await stage.restart(handlers);
    await stage.advance(31_000); // the lock of the dead process ends
  }
  equal(
    await stage.finish(run),
    "poison: activity crashes#2 exceeded 13 attempts (max 10): its process ended while it ran alone",
  );
});

const charge = activity("charge", async () => "charged");
const checkout = orchestration("checkout", async (ctx) => ctx.scheduleActivity(charge));

// #region store-trouble
/** Works until the store is unusable, and then rejects with the reason. */
async function serve(provider: Provider): Promise<never> {
  const unusable = Promise.withResolvers<never>();
  await using _runtime = await Runtime.start({
    provider,
    activities: [charge],
    orchestrations: [checkout],
    onStoreTrouble: ({ error, permanent }) => {
      if (permanent) unusable.reject(error); // a wrong key, a damaged or deleted file
    },
  });
  return await unusable.promise; // the process ends with an error, and its supervisor takes over
}
// #endregion

const provider = await SqliteProvider.open(":memory:");
const served = serve(provider).catch((error: unknown) => error);
await provider.close();
const reason = await served;
equal(ProviderError.is(reason) && reason.code, "closed");

const Payment: StandardSchema<{ cents: number }> = {
  "~standard": {
    version: 1,
    vendor: "example",
    validate: (value) => {
      const { cents } = value as { cents?: unknown };
      if (typeof cents === "number") return { value: { cents } };
      return { issues: [{ path: ["cents"], message: "expected a number" }] };
    },
  },
};

// #region set-aside
const paid = event("paid", { keep: true, schema: Payment }); // z.object({ cents: z.number() })
const invoice = orchestration("invoice", async (ctx) => (await ctx.waitForEvent(paid)).cents);
// #endregion

await onStage({ orchestrations: [invoice], logger: silentLogger }, async (stage) => {
  const { client } = stage;
  const handle = await client.start(invoice, { instanceId: "invoice-7" });
  await handle.raise("paid", { cents: "990" });
  await stage.settle();
  // #region redelivered
  const { setAside } = await client.admin.timeline("invoice-7"); // { cents: "990" } came, by the name of the event
  for (const { id, misfit } of setAside) {
    console.log(misfit); // "cents: expected a number"
    await client.admin.redeliver("invoice-7", { eventId: id, message: { cents: 990 } });
  }
  // #endregion
  equal(setAside.length, 1);
  equal(await stage.finish(handle), 990);
});
