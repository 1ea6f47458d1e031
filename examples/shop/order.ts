/** An order: stock, an approval, the card, the parcels. Whatever goes wrong, what was done is undone. */
import { event, orchestration } from "@duroxide-ts/core";
import { labelOf } from "./partner.ts";
import { services } from "./services.ts";

export interface Order {
  readonly id: string;
  readonly cents: number;
  readonly parcels: readonly string[];
}

export const approved = event<{ readonly by: string; readonly ok: boolean }>("approved", { keep: true });

/** Refunds and releases are tried until they succeed. */
const undone = { undoRetry: { maxAttempts: Number.POSITIVE_INFINITY }, onUncertain: true } as const;

export const order = orchestration("order", async (ctx, { id, cents, parcels }: Order) => {
  const saga = ctx.saga();
  ctx.setTags({ state: "open" });
  await saga.run(
    "reserve",
    () => services.reserve(id),
    () => services.release(id),
    { retry: { maxAttempts: 5 }, ...undone },
  );

  const decision = await ctx.race([ctx.waitForEvent(approved), ctx.scheduleTimer({ days: 2 })]);
  if (decision.index === 1 || !decision.value.ok) {
    await saga.compensate();
    return decision.index === 1 ? "nobody approved" : `declined by ${decision.value.by}`;
  }

  await saga.run(
    "charge",
    (step) => services.charge(id, cents, step.callKey),
    () => services.refund(id),
    { retry: { maxAttempts: 3 }, timeout: { seconds: 20 }, ...undone },
  );
  const labels = await ctx.map(parcels, async (branch, parcel) => {
    // The undo comes first: a label that nobody waits for any more is made all the same.
    await saga.run(
      "plan label",
      () => parcel,
      () => services.cancelLabel(parcel),
      undone,
    );
    return labelOf(branch, parcel);
  });
  ctx.setTags({ state: "shipped" });
  return labels.join(", ");
});
