/** Stands for the systems of a shop, which take their time. Each call is noted in a file before it is answered. */
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const { AGENT_LEDGER: ledger } = process.env;
const ANSWER_MS = 100;

/** `callKey` is the same for each run of one call: a second refund with a key is the first one. */
async function note(what: string, order: string, callKey: string): Promise<void> {
  if (ledger !== undefined) appendFileSync(ledger, `${JSON.stringify({ what, order, callKey })}\n`);
  await sleep(ANSWER_MS);
}

export const shop = {
  async find(order: string, callKey: string) {
    await note("find", order, callKey);
    return { order, item: "coffee grinder", cents: 4_900, state: "shipped" };
  },
  async track(order: string, callKey: string) {
    await note("track", order, callKey);
    return `Parcel of order ${order}: with the carrier, expected tomorrow.`;
  },
  async refund(order: string, callKey: string) {
    await note("refund", order, callKey);
    return `Order ${order}: 49.00 paid back.`;
  },
};
