/**
 * Stand-ins for the systems that a real shop would call. They take a moment, and they fail for some orders: which
 * ones, and how, depends on the order alone, never on chance.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { OrderLine, Parcel } from "./orders.ts";

export const warehouse = {
  async reserve(_orderId: string, _line: OrderLine): Promise<void> {
    await sleep(90);
  },
  async release(_orderId: string): Promise<void> {
    await sleep(80);
  },
  async pack(_parcel: Parcel): Promise<void> {
    await sleep(180);
  },
};

/** The test number that payment companies use for a card without enough money on it. */
const CARD_WITHOUT_FUNDS = "4000 0000 0000 9995";

export const payments = {
  /** `key`: a second charge with the same key returns the receipt of the first one. */
  async charge(card: string, _cents: number, key: string): Promise<string> {
    await sleep(200);
    if (card === CARD_WITHOUT_FUNDS) throw new Error("card declined");
    return `receipt-${key}`;
  },
  async refund(_receipt: string): Promise<void> {
    await sleep(120);
  },
};

/** The carrier's line to this city is bad: the first two bookings of a parcel get no answer. */
const BAD_LINE_TO = "Tromso";
const NO_SERVICE_TO = "Longyearbyen";
const bookings = new Map<string, number>();

export const carrier = {
  async book({ orderId, warehouse, city }: Parcel): Promise<string> {
    await sleep(130);
    if (city === NO_SERVICE_TO) throw new Error("no carrier found");
    const parcelId = `${orderId}-${warehouse}`;
    const count = (bookings.get(parcelId) ?? 0) + 1;
    bookings.set(parcelId, count);
    if (city === BAD_LINE_TO && count <= 2) throw new Error("the carrier does not answer");
    return `track-${parcelId}`.toLowerCase();
  },
  async collect(_trackingNumber: string): Promise<void> {
    await sleep(110);
  },
};

export const mail = {
  async send(_customer: string, _text: string): Promise<void> {
    await sleep(70);
  },
};
