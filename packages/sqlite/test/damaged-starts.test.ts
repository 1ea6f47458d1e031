/** A start that waits and cannot be decoded. */
import { queueMessage, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { openFile } from "./support/fixture.ts";

async function openDamaged(): ReturnType<typeof openFile> {
  const store = await openFile();
  await store.provider.enqueueForOrchestrator(startItem("a"));
  store.openRaw().prepare("UPDATE orchestrator_queue SET work_item = '{'").run();
  return store;
}

it("is corrupt data for a start that asks for its orchestration", async () => {
  await using store = await openDamaged();
  const { provider } = store;
  const corrupt = { name: "ProviderError", code: "corrupt-data" };
  await expect(provider.enqueueForOrchestrator(startItem("a"), 0, { ifTaken: "tell" })).rejects.toMatchObject(
    corrupt,
  );
  await expect(
    provider.startInstance(startItem("a"), { ifExists: "fail", messages: [] }),
  ).rejects.toMatchObject(corrupt);
});

it("refuses no message that asks only whether there is one", async () => {
  await using store = await openDamaged();
  const sent = store.provider.enqueueForOrchestrator(queueMessage("a", "q"), 0, { ifMissing: "fail" });
  expect(await sent).toBe("stored");
});
