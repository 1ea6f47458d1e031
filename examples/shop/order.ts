/** An order: stock, an approval, the card, the parcels. Whatever goes wrong, what was done is undone. */
import { event, type LimitRule, orchestration } from "@duroxide-ts/core";
import { services } from "./services.ts";

export interface Order {
  readonly id: string;
  readonly cents: number;
  readonly parcels: readonly string[];
}

export const approved = event<{ readonly by: string; readonly ok: boolean }>("approved", { keep: true });

/** Limits of the calls to the partner that makes labels, over all processes, for `Runtime.start({ limits })`. */
export const limits: Readonly<Record<string, LimitRule>> = {
  partner: { concurrency: 5, rate: { max: 10, per: { seconds: 1 } } },
};

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
  const labels = await ctx.map(parcels, (_, parcel) =>
    saga.run(
      "label",
      () => services.label(parcel),
      () => services.cancelLabel(parcel),
      { label: parcel, limit: "partner", ...undone },
    ),
  );
  ctx.setTags({ state: "shipped" });
  return labels.join(", ");
});
