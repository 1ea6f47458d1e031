/** Every night at three in Berlin. A night that fails does not stop the next. */
import { orchestration } from "@duroxide-ts/core";
import { services } from "./services.ts";

export const nightly = orchestration("nightly", async (ctx): Promise<never> => {
  await ctx.scheduleTimer({ cron: "0 3 * * *", timezone: "Europe/Berlin" });
  await ctx
    .run("delete old carts", () => services.deleteOldCarts(), {
      retry: { maxAttempts: 5 },
      timeout: { minutes: 30 },
    })
    .catch((error: Error) => ctx.log.error({ error }, "the clean-up of this night failed"));
  return ctx.continueAsNew(nightly);
});
