import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../src/gateway/faults/faults.ts";
import { Fixture } from "./support/fixture.ts";

const WRITERS = 64;
const TRANSFERS_EACH = 8;
const ACCOUNTS = 10;

/** Accounts of one partition, of which the sum never changes, and a receipt for each transfer. */
async function openAccounts(fixture: Fixture): Promise<void> {
  for (let n = 0; n < ACCOUNTS; n += 1) await fixture.create({ id: `account-${n}`, pk: "p", amount: 100 });
}

/** Moves money in one batch, whose answer may get lost; some batches fail half-way on purpose. */
async function transfer(fixture: Fixture, random: SeededRandom, receipt: string): Promise<void> {
  const from = `account-${Math.floor(random.next() * ACCOUNTS)}`;
  const to = `account-${Math.floor(random.next() * ACCOUNTS)}`;
  const amount = 1 + Math.floor(random.next() * 20);
  const move = (id: string, value: number): object => ({
    operationType: "Patch",
    id,
    resourceBody: { operations: [{ op: "incr", path: "/amount", value }] },
  });
  const fails = random.next() < 0.3;
  const last = fails ? { operationType: "Delete", id: "absent" } : { operationType: "Read", id: to };
  const operations = [
    move(from, -amount),
    { operationType: "Create", resourceBody: { id: receipt, pk: "p", amount } },
    move(to, amount),
    last,
  ];
  const response = await fixture.batch("p", operations).catch(() => undefined);
  if (response?.status === 200) expect(fails).toBe(false);
}

describe("64 concurrent writers of one partition, whose batches fail at random", () => {
  it("never leave a batch half done", async () => {
    await using fixture = await Fixture.start({ seed: 5 });
    await openAccounts(fixture);
    const match = { operation: "item.batch" } as const;
    fixture.emulator.faults.add({ match, rate: 0.1, effect: { kind: "loseResponse" } });
    fixture.emulator.faults.add({ match, rate: 0.1, effect: { kind: "error", status: 503 } });
    fixture.emulator.faults.add({ match, rate: 0.05, effect: { kind: "reset" } });
    const before = fixture.emulator.requestLog.mark();
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const random = new SeededRandom(writer);
        for (let n = 0; n < TRANSFERS_EACH; n += 1) await transfer(fixture, random, `receipt-${writer}-${n}`);
      }),
    );
    fixture.emulator.faults.clear();
    const { json } = await fixture.query("SELECT c.id, c.amount FROM c", "p");
    const rows: { id: string; amount: number }[] = json.Documents;
    const sum = rows
      .filter(({ id }) => id.startsWith("account"))
      .reduce((total, { amount }) => total + amount, 0);
    expect(sum).toBe(ACCOUNTS * 100);
    const receipts = rows.filter(({ id }) => id.startsWith("receipt")).length;
    const batches = fixture.emulator.requestLog.since(before).byOperation.get("item.batch")?.requests ?? 0;
    expect(batches).toBe(WRITERS * TRANSFERS_EACH);
    expect(receipts).toBeGreaterThan(batches / 3);
    expect(receipts).toBeLessThan(batches);
    // Each committed batch is one position: the receipts, the accounts and the beginning account for all of them.
    const { headers } = await fixture.item("GET", "p", "account-0");
    expect(Number(headers["lsn"])).toBe(1 + ACCOUNTS + receipts);
  });
});
