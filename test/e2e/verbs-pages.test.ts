/** A verb for many instances: pages, and an end in the middle. */
import { Client, type ForEachProgress } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { createInstance } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";

const COUNT = 250;

async function storeOf(count: number): Promise<MemoryProvider> {
  const provider = new MemoryProvider();
  for (let n = 0; n < count; n++) await createInstance({ provider, lockMs: 30_000 }, `i-${n}`);
  return provider;
}

describe("admin.forEach", () => {
  it("goes on after a page that it has reported", async () => {
    const { admin } = new Client(await storeOf(COUNT));
    const seen: string[] = [];
    const reports: ForEachProgress[] = [];
    const stop = new AbortController();
    const verb = async (id: string): Promise<void> => {
      seen.push(id);
      if (seen.length === 150) stop.abort();
    };

    const first = await admin.forEach({}, verb, {
      signal: stop.signal,
      onProgress: (progress) => reports.push(progress),
    });
    expect(first.done).toBeGreaterThanOrEqual(150);
    expect(first.done).toBeLessThan(200);
    expect(reports.map(({ done }) => done)).toEqual([100]);
    expect(first.after).toBe(reports[0]?.after);

    const rest = await admin.forEach({}, verb, { ...(first.after !== undefined && { after: first.after }) });
    expect(rest).toMatchObject({ done: 150, refused: 0, failed: 0 });
    expect(rest.after).toBeUndefined();
    expect(new Set(seen).size).toBe(COUNT);
  });

  it("changes no more at a time than it is told", async () => {
    const { admin } = new Client(await storeOf(30));
    let running = 0;
    let most = 0;
    await admin.forEach(
      {},
      async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
      },
      { concurrency: 3 },
    );
    expect(most).toBe(3);
  });
});
