/** The answer to a repeated message, where a killed process left its first commit without a sync (message-ids.ts, I4). */

import { readFileSync } from "node:fs";
import { createInstance, queueMessage, startItem } from "@duroxide-ts/provider-tests/building-blocks";
import { expect, it } from "vitest";
import { openFile } from "./support/fixture.ts";

it.each(["a message", "a start"])("%s that is known is written to the log again", async (what) => {
  await using store = await openFile();
  const { provider, path } = store;
  await createInstance(store, "i");
  const options = { messageId: "m", ifExists: "reuse", messages: [] } as const;
  const send = (): Promise<unknown> =>
    what === "a start"
      ? Promise.resolve(provider.startInstance?.(startItem("s"), options))
      : provider.enqueueForOrchestrator(queueMessage("i", "q"), undefined, { messageId: "m" });
  await send();
  const before = readFileSync(`${path}-wal`);

  await send();

  expect(readFileSync(`${path}-wal`).equals(before)).toBe(false);
  expect(await provider.admin.getQueueDepths()).toMatchObject({ orchestratorQueue: 1 });
});
