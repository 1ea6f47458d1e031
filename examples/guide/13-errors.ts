/** docs/guide/13-errors.md */
import { deepEqual, equal, match } from "node:assert/strict";
import {
  ActivityFailedError,
  activity,
  DuroxideError,
  errorCategory,
  type InstanceHandle,
  OrchestrationFailedError,
  orchestration,
  ProviderError,
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
    if (!ActivityFailedError.is(error, "activity-failed")) throw error; // a mistake in this code, say
    await ctx.scheduleActivity(release, reservation);
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

const mistake = orchestration("mistake", async () => {
  const order: { readonly lines?: readonly string[] } = {};
  return (order.lines as readonly string[]).length;
});
await onStage({ orchestrations: [mistake] }, async (stage) => {
  const failure = await stage.failure(await stage.client.start(mistake));
  match(failure.message, /undefined/);
  equal((failure.cause as Error).name, "TypeError");
});
