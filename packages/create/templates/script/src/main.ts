/** Starts an order, or goes on with it: `npm start -- order-2` is another one. */
import { Client, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { checkout } from "./order.ts";

const { ORDERS_DB = "orders.db" } = process.env;
const id = process.argv[2] ?? "order-1";

await using provider = await SqliteProvider.open(ORDERS_DB);
await using _runtime = await Runtime.start({ provider, orchestrations: [checkout] });
const order = await new Client(provider).start(checkout, { instanceId: id, input: { id, cents: 4_900 } });
console.log(await order.result());
