/** Stands for the systems of a shop. Each call is noted in a file before it is answered. */
import { appendFileSync } from "node:fs";

const { AGENT_LEDGER: ledger } = process.env;

/** `callKey` is the same for each run of one call: a second refund with a key is the first one. */
function note(what: string, order: string, callKey: string): void {
  if (ledger !== undefined) appendFileSync(ledger, `${JSON.stringify({ what, order, callKey })}\n`);
}

export const shop = {
  find(order: string, callKey: string) {
    note("find", order, callKey);
    return { order, item: "coffee grinder", cents: 4_900, state: "shipped" };
  },
  track(order: string, callKey: string) {
    note("track", order, callKey);
    return `Parcel of order ${order}: with the carrier, expected tomorrow.`;
  },
  refund(order: string, callKey: string) {
    note("refund", order, callKey);
    return `Order ${order}: 49.00 paid back.`;
  },
};
