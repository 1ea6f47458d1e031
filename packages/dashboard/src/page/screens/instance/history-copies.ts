/** Copies that a user takes from an instance: its history as a file, and a test that replays it. */
import { apiPath, getFile } from "../../browser/api.ts";
import { copyText } from "../../browser/clipboard.ts";
import { after } from "../../browser/clock.ts";
import { historyFileName } from "../../shapes/history-file.ts";
import type { InstanceHead } from "../../shapes/instance.ts";

export async function downloadHistory({ id }: InstanceHead): Promise<void> {
  saveFile(historyFileName(id), await getFile(apiPath("export", { id })));
}

export async function copyTest(head: InstanceHead): Promise<void> {
  await copyText(testOf(head));
}

/** A test that replays the stored history against the code as it is now. */
function testOf({ id, name }: InstanceHead): string {
  return `import { readFile } from "node:fs/promises";
import { replay } from "@duroxide-ts/core/testing";
import { expect, it } from "vitest";
import { orchestrations } from "../src/handlers.ts";

it(${JSON.stringify(`${name} fits the history of ${id}`)}, async () => {
  const history = await readFile(${JSON.stringify(`test/histories/${historyFileName(id)}`)}, "utf8");
  const summary = await replay(history, { orchestrations });
  expect(summary.executions.length).toBeGreaterThan(0);
});
`;
}

/** The browser has begun to read the content by then. */
const KEPT_MS = 60_000;

/** Gives the user a file. */
function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  after(KEPT_MS, () => URL.revokeObjectURL(link.href));
}
