/** A process of a deployment: serves a store with these versions of an orchestration, until it is killed. */
import { appendFileSync } from "node:fs";
import { activity, event, orchestration, Runtime } from "@duroxide-ts/core";
import { openAddress, type StoreAddress } from "./stores.ts";

const [address = "", runs = "", ...versions] = process.argv.slice(2);

const go = event<boolean>("go", { keep: true });
const step = activity("step", async ({ instanceId }, text: string) => {
  appendFileSync(runs, `${instanceId} ${text}\n`);
  return text;
});

const orders = versions.map((version) =>
  orchestration("order", { version }, async (ctx) => {
    await ctx.scheduleActivity(step, `begun by ${version}`);
    await ctx.waitForEvent(go);
    await ctx.scheduleActivity(step, `ended by ${version}`);
    return version;
  }),
);

await Runtime.start({
  provider: await openAddress(JSON.parse(address) as StoreAddress),
  orchestrations: orders,
  activities: [step],
  orchestratorLockTimeoutMs: 1_500,
  workerLockTimeoutMs: 1_500,
});
