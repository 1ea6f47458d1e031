/** Events are stored in the order of their commits (docs/decisions/sqlite-commits.md). */
import { statSync } from "node:fs";
import {
  ack,
  createInstance,
  fetchOrchestration,
  raised,
  scheduled,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect } from "vitest";
import { onFile } from "./support/fixture.ts";

describe("a commit", () => {
  onFile("writes few pages of history, however many instances have a turn in it", async (store) => {
    const ids = Array.from({ length: 100 }, (_, n) => `instance-${n}`);
    for (const id of ids) {
      const historyDelta = Array.from({ length: 20 }, (_, n) => scheduled(id, n + 2));
      await createInstance(store, id, { historyDelta });
    }
    await Promise.all(ids.map((id) => store.provider.enqueueForOrchestrator(raised(id, "poke"))));
    const fetched = await Promise.all(ids.map(() => fetchOrchestration(store)));
    const turns = fetched.filter((each) => each !== undefined);
    expect(turns).toHaveLength(100);
    const raw = store.openRaw();
    raw.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    await Promise.all(
      turns.map((each) => ack(store, each, { historyDelta: [scheduled(each.item.instanceId, 22)] })),
    );
    const pages = Math.floor(statSync(`${store.path}-wal`).size / 2_048);
    // One page for each history, and more for its index, would be above 100.
    expect(pages).toBeLessThan(70);
  });
});
