/** Data that many checks query and none changes. */
import type { Items } from "../client/items.ts";
import type { Fields } from "../client/reply.ts";
import { expectStatus } from "../expect.ts";
import type { Target } from "../target.ts";
import { FIXTURES } from "./fixtures.ts";

/** 30 items in ten partitions: `n` from 0 to 29, three groups, and `even` only on every second one. */
export function thirty(target: Target): Promise<Items> {
  return target.once("thirty", async () => {
    const items = await target.createContainer({ id: "thirty", ...FIXTURES.plain });
    for (const item of thirtyItems()) expectStatus(await items.create([item.pk], item), 201);
    return items;
  });
}

export interface NumberedItem extends Fields {
  readonly id: string;
  readonly pk: string;
  readonly n: number;
  readonly grp: string;
  readonly even?: boolean;
}

export function thirtyItems(): readonly NumberedItem[] {
  return Array.from({ length: 30 }, (_, n) => ({
    id: `i${String(n).padStart(2, "0")}`,
    pk: `p${n % 10}`,
    n,
    grp: `g${n % 3}`,
    ...(n % 2 === 0 && { even: true }),
    tags: [`t${n % 2}`, `t${n % 5}`],
    inner: { m: n * 1.5 },
  }));
}

/** The items of the recorded container: 2,500 items in five partitions, of five fields each. */
export interface Many {
  readonly items: Items;
  /** Charge of storing 100 of them in one batch; undefined where the endpoint has no such batch. */
  readonly chargeOfBatch: number | undefined;
}

export const MANY = 2500;
const BATCH_SIZE = 100;
const PARTITIONS = 5;

export function many(target: Target): Promise<Many> {
  return target.once("many", async () => {
    const items = await target.createContainer({ id: "many", ...FIXTURES.plain });
    let chargeOfBatch: number | undefined;
    for (let first = 0; first < MANY; first += BATCH_SIZE) {
      const pk = `p${Math.floor((first * PARTITIONS) / MANY)}`;
      const bodies = Array.from({ length: BATCH_SIZE }, (_, n) => numbered(first + n, pk));
      const operations = bodies.map((resourceBody) => ({ operationType: "Create", resourceBody }));
      const reply = await items.batch([pk], operations);
      if (reply.status === 200) chargeOfBatch = reply.charge;
      else await Promise.all(bodies.map((body) => items.create([pk], body)));
    }
    return { items, chargeOfBatch };
  });
}

function numbered(n: number, pk: string): Fields {
  return { id: `d${n}`, pk, n, grp: `g${n % 7}`, txt: `text ${n}` };
}
