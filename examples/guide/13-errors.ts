/** docs/guide/13-errors.md */
import { deepEqual, equal, match } from "node:assert/strict";
import {
  activity,
  Client,
  DuroxideError,
  errorCategory,
  type InstanceHandle,
  isCallFailure,
  OrchestrationFailedError,
  orchestration,
  type Provider,
  ProviderError,
  queue,
} from "@duroxide-ts/core";
import { onStage } from "./stage.ts";

const undone: string[] = [];
const reserve = activity("reserve", async (_ctx, room: string) => `reservation of ${room}`);
const release = activity("release", async (_ctx, reservation: string) => {
  undone.push(reservation);
});
const charge = activity("charge", async (): Promise<string> => {
  throw new RangeError("the card is declined");
});

// #region compensate
const book = orchestration("book", async (ctx, room: string) => {
  const reservation = await ctx.scheduleActivity(reserve, room);
  try {
    return await ctx.scheduleActivity(charge);
  } catch (error) {
    await ctx.scheduleActivity(release, reservation); // first, and whatever the error is
    if (!isCallFailure(error)) throw error; // a mistake in this code, say
    throw new Error(`${room} was not booked: ${error.message}`, { cause: error });
  }
});
// #endregion

// #region client
async function resultOf(handle: InstanceHandle<string>): Promise<string> {
  try {
    return await handle.result({ timeout: { minutes: 1 } });
  } catch (error) {
    if (OrchestrationFailedError.is(error, "orchestration-failed")) {
      return `failed for good: ${error.message}`;
    }
    if (DuroxideError.is(error, "timeout")) return "not finished yet";
    if (ProviderError.is(error)) return `the store says ${error.code}`;
    throw error;
  }
}
// #endregion

await onStage({ activities: [reserve, release, charge], orchestrations: [book] }, async (stage) => {
  const { client } = stage;
  const handle = await client.start(book, { instanceId: "b", input: "room 12" });
  equal(await resultOf(handle), "failed for good: room 12 was not booked: the card is declined");
  deepEqual(undone, ["reservation of room 12"]);

  // #region details
  const failure = await handle.result().catch((error: unknown) => error);
  if (!(failure instanceof OrchestrationFailedError)) throw failure;
  const category = errorCategory(failure.details); // "application" | "poison" | "configuration" | "infrastructure"
  const cause = failure.cause as Error; // the name and data of what was thrown
  // #endregion
  equal(category, "application");
  equal(cause.name, "Error");

  const missing = await client.admin.info("nobody").catch((error: unknown) => error);
  // #region provider
  if (ProviderError.is(missing) && missing.code === "instance-not-found") console.log("no such instance");
  // #endregion
  equal(ProviderError.is(missing) && missing.retryable, false);
});

const orders = queue<string>("orders");
const shop = orchestration("shop", async (ctx) => {
  const first = await ctx.dequeue(orders);
  const winner = await ctx.race([ctx.dequeue(orders), ctx.scheduleTimer({ hours: 1 })]);
  return winner.index === 0 ? [first, winner.value] : [first];
});

// #region repeat
async function sendOrder(handle: InstanceHandle<unknown>, order: string): Promise<void> {
  try {
    await handle.enqueue(orders, order);
  } catch (error) {
    if (!ProviderError.is(error) || !error.retryable || error.messageId === undefined) throw error;
    await handle.enqueue(orders, order, { messageId: error.messageId }); // the same message, not a second one
  }
}
// #endregion

/** Stores the first message, and fails as if the answer had been lost. */
function losingAnAnswer(provider: Provider): Provider {
  let lost = false;
  const enqueue: Provider["enqueueForOrchestrator"] = async (...call) => {
    const outcome = await provider.enqueueForOrchestrator(...call);
    if (lost) return outcome;
    lost = true;
    throw new ProviderError({ code: "unavailable", operation: "enqueue", message: "no answer" });
  };
  return new Proxy(provider, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (name === "enqueueForOrchestrator") return enqueue;
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

await onStage({ orchestrations: [shop] }, async (stage) => {
  const { clock, provider } = stage;
  await stage.client.start(shop, { instanceId: "shop" });
  await stage.settle();
  const handle = new Client(losingAnAnswer(provider), { clock }).handle(shop, "shop");
  await sendOrder(handle, "seven");
  deepEqual(await stage.finish(handle), ["seven"]);
});

const mistake = orchestration("mistake", async () => {
  const order: { readonly lines?: readonly string[] } = {};
  return (order.lines as readonly string[]).length;
});
await onStage({ orchestrations: [mistake] }, async (stage) => {
  const handle = await stage.client.start(mistake);
  await stage.settle();
  const status = await handle.status();
  match(JSON.stringify(status), /"reason":"defect","detail":"the code has thrown TypeError: .*undefined/);
  await handle.cancel("given up");
  match((await stage.failure(handle)).message, /given up/);
});
