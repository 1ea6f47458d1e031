import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";

const charge = activity("charge", async (_ctx, order: string) => {
  console.log(`charging for ${order}`);
  return `receipt for ${order}`;
});
const ship = activity("ship", async (_ctx, receipt: string) => `shipped with the ${receipt}`);

const checkout = orchestration("checkout", async (ctx, order: string) => {
  const receipt = await ctx.scheduleActivity(charge, order, { retry: { maxAttempts: 5 } });
  await ctx.scheduleTimer({ seconds: 5 });
  return ctx.scheduleActivity(ship, receipt);
});

const provider = await SqliteProvider.open("orders.db");
const runtime = await Runtime.start({ provider, activities: [charge, ship], orchestrations: [checkout] });
const order = await new Client(provider).start(checkout, { instanceId: "order-42", input: "two chairs" });
console.log(await order.result());
await runtime.shutdown();
await provider.close();
