/** A process that sends numbered messages to one instance of a store, one after the other. */
import { argv } from "node:process";
import { Client } from "@duroxide-ts/core";
import { openAddress } from "../attempts/stores.ts";

const [, , address = "null", instanceId = "", sender = "", count = "0"] = argv;

await using provider = await openAddress(JSON.parse(address));
const handle = new Client(provider).handle("reader", instanceId);
const batch = 10;
for (let n = 0; n < Number(count); n += batch) {
  const numbers = Array.from({ length: Math.min(batch, Number(count) - n) }, (_, index) => n + index);
  await Promise.all(numbers.map((number) => handle.enqueue("n", { sender, number })));
}
