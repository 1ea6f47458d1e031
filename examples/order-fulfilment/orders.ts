/** The data of the example: orders come in as a file, and what becomes of them is an outcome. */
import { readFile } from "node:fs/promises";

export interface Order {
  /** Also the id of the orchestration instance that fulfils the order. */
  readonly id: string;
  readonly customer: string;
  readonly city: string;
  readonly card: string;
  /** Who may approve the order, where it is large enough to need that. */
  readonly approver?: string;
  /** How long the order waits for the approval; a day by default. */
  readonly approveWithinSeconds?: number;
  readonly lines: readonly OrderLine[];
}

export interface OrderLine {
  readonly item: string;
  readonly quantity: number;
  readonly unitCents: number;
  readonly warehouse: string;
}

/** The lines of one order that leave from the same warehouse. */
export interface Parcel {
  readonly orderId: string;
  readonly city: string;
  readonly warehouse: string;
  readonly lines: readonly OrderLine[];
}

export type Outcome =
  | { readonly status: "delivered"; readonly trackingNumbers: readonly string[] }
  | { readonly status: "cancelled"; readonly reason: string };

export async function readOrders(): Promise<readonly Order[]> {
  const text = await readFile(new URL("orders.json", import.meta.url), "utf8");
  return JSON.parse(text) as readonly Order[];
}

export function totalCents(order: Order): number {
  return order.lines.reduce((sum, line) => sum + line.quantity * line.unitCents, 0);
}

export function parcelsOf(order: Order): readonly Parcel[] {
  const { id: orderId, city } = order;
  const warehouses = [...new Set(order.lines.map((line) => line.warehouse))];
  return warehouses.map((warehouse) => ({
    orderId,
    city,
    warehouse,
    lines: order.lines.filter((line) => line.warehouse === warehouse),
  }));
}
