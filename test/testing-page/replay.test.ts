/** docs/testing.md: stored histories. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Client } from "@duroxide-ts/core";
import { exportHistory, replaceTexts, replay, TestEnvironment } from "@duroxide-ts/core/testing";
import { expect, test } from "vitest";
import { approved, charge, checkout, ship } from "./checkout.ts";

// #region export
/** Writes the history of each running instance; all its executions go into one file. */
async function exportHistories(client: Client, folder: string): Promise<void> {
  const redact = replaceTexts();
  for await (const id of client.admin.instances({ status: "Running" })) {
    const file = path.join(folder, `${encodeURIComponent(id)}.json`);
    await writeFile(file, await exportHistory(client, id, { redact }));
  }
}
// #endregion

async function replayAll(folder: string): Promise<number> {
  // #region replay
  const files = await readdir(folder);
  for (const file of files) {
    const history = await readFile(path.join(folder, file), "utf8");
    await replay(history, { orchestrations: [checkout] });
  }
  // #endregion
  return files.length;
}

test("running instances still fit", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "duroxide-histories-"));
  await using env = await TestEnvironment.create({ orchestrations: [checkout], activities: [charge, ship] });
  await env.start(checkout, { instanceId: "order/1", input: { id: "1" } });
  await env.start(checkout, { instanceId: "order/2", input: { id: "2" } });
  const done = await env.start(checkout, { instanceId: "order/3", input: { id: "3" } });
  await done.raise(approved, true);
  await exportHistories(env.client, folder);
  expect(await replayAll(folder)).toBe(2);
  await rm(folder, { recursive: true });
});
