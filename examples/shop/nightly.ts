/** Every night at three in Berlin. A night that fails does not stop the next. */
import { orchestration, schedule } from "@duroxide-ts/core";
import { services } from "./services.ts";

export const cleanUp = orchestration("cleanUp", async (ctx) => {
  await ctx.run("delete old carts", () => services.deleteOldCarts(), {
    retry: { maxAttempts: 5 },
    timeout: { minutes: 30 },
  });
});

export const nightly = schedule("nightly", {
  cron: "0 3 * * *",
  timezone: "Europe/Berlin",
  orchestration: cleanUp,
});
