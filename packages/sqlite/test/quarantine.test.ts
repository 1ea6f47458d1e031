/** Queue rows that cannot be decoded are kept in a table of their own, with a warning. */
import {
  activity,
  createInstance,
  fetchWork,
  mustFetch,
  raised,
} from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { openFile } from "./support/fixture.ts";

it("a row that cannot be decoded is set aside with the reason, and the rest is delivered", async () => {
  const warnings: { readonly message: string; readonly instanceId: string }[] = [];
  await using store = await openFile({
    onWarning: (message, fields) => warnings.push({ message, ...fields }),
  });
  const { provider, clock } = store;
  await createInstance(store, "i");
  for (const name of ["one", "two", "three"]) await provider.enqueueForOrchestrator(raised("i", name));
  for (const id of [1, 2]) await provider.enqueueForWorker(activity("i", id));
  const raw = store.openRaw();
  raw.exec(`UPDATE orchestrator_queue SET work_item = '{"Unheard":{}}' WHERE work_item LIKE '%two%'`);
  raw.exec("UPDATE worker_queue SET work_item = 'not json' WHERE activity_id = 1");

  expect((await mustFetch(store)).item.messages).toEqual([raised("i", "one"), raised("i", "three")]);
  expect((await fetchWork(store))?.item.id).toBe(2);

  await clock.settle();
  expect(warnings).toEqual([
    { message: expect.stringMatching(/dead_letters.*Unheard/), instanceId: "i" },
    { message: expect.stringMatching(/dead_letters/), instanceId: "i" },
  ]);
  expect((await provider.admin.getSystemMetrics()).deadMessages).toBe(2);
  const letters = raw
    .prepare("SELECT queue, instance_id, work_item, reason, moved_at FROM dead_letters")
    .all();
  const common = { instance_id: "i", moved_at: clock.now() };
  expect(letters.map((row) => ({ ...row }))).toEqual([
    {
      ...common,
      queue: "orchestrator_queue",
      work_item: '{"Unheard":{}}',
      reason: expect.stringMatching(/Unheard/),
    },
    { ...common, queue: "worker_queue", work_item: "not json", reason: expect.any(String) },
  ]);
});
