import { Client, orchestration, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";

const checkout = orchestration("checkout", async (ctx, order: string) => {
  await ctx.run("charge", () => console.log(`charging for ${order}`), { retry: { maxAttempts: 5 } });
  await ctx.scheduleTimer({ seconds: 5 });
  return ctx.run("ship", () => `shipped ${order}`);
});
await using provider = await SqliteProvider.open("orders.db");
await using _runtime = await Runtime.start({ provider, orchestrations: [checkout] });
const order = await new Client(provider).start(checkout, { instanceId: "order-42", input: "two chairs" });
console.log(await order.result());
