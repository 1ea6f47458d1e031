/** SQLite for the validation kit: on files, each with a plain connection to damage it, and in memory. */
import { DatabaseSync } from "node:sqlite";
import type { Capabilities, ProviderFactory } from "@duroxide-ts/provider-tests";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { writeEmptyFile } from "./empty-file.ts";
import { temporaryFolder } from "./fixture.ts";

const capabilities: Capabilities = {
  clock: "virtual",
  polling: "long",
  // No call takes any virtual time, so waits are held to the millisecond.
  responseMs: 0,
  storageCalls: "one",
  historyTags: true,
};

export const sqliteInMemory: ProviderFactory = {
  name: "sqlite in memory",
  capabilities,
  async open({ clock }) {
    const provider = await SqliteProvider.open(":memory:", { clock });
    return { provider, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() };
  },
};

export const sqlite: ProviderFactory = {
  name: "sqlite",
  capabilities,
  async open({ clock }) {
    const folder = temporaryFolder();
    const path = folder.file("test.db");
    await writeEmptyFile(path);
    const opened: AsyncDisposable[] = [];
    const openAnother = async (): Promise<SqliteProvider> => {
      // The file does not outlive the case, so a loss of power need not be survived.
      const provider = await SqliteProvider.open(path, { clock, durability: "process" });
      opened.push(provider);
      return provider;
    };
    const provider = await openAnother();
    const raw = new DatabaseSync(path);
    return {
      provider,
      openAnother,
      async corruptHistory(instanceId) {
        raw
          .prepare(`UPDATE history SET event = '{"type":"Unheard-of"}' WHERE instance_key = ${KEY}`)
          .run(instanceId);
        raw.prepare("UPDATE instances SET history_tag = NULL WHERE instance_id = ?").run(instanceId);
      },
      async maxAttemptCount(instanceId) {
        const sql = `SELECT coalesce(max(attempt_count), 0) AS highest FROM orchestrator_queue WHERE instance_key = ${KEY}`;
        return Number(raw.prepare(sql).get(instanceId)?.highest);
      },
      async putUndecodableRow(queue, instanceId) {
        raw.prepare(ANCHOR).run(instanceId);
        for (const statement of undecodableRow[queue]) raw.prepare(statement).run(instanceId);
      },
      async [Symbol.asyncDispose]() {
        raw.close();
        for (const each of opened) await each[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      },
    };
  },
};

const KEY = "(SELECT instance_key FROM instances WHERE instance_id = ?)";

const ANCHOR =
  "INSERT INTO instances (instance_id, created_at, updated_at) VALUES (?, 0, 0) ON CONFLICT DO NOTHING";

const undecodableRow = {
  orchestrator: [
    `INSERT INTO orchestrator_queue (instance_key, visible_at, work_item) VALUES (${KEY}, 0, '{"Unheard":{}}')`,
    "UPDATE instances SET due_at = 0 WHERE instance_id = ?",
  ],
  worker: [
    `INSERT INTO worker_queue (instance_key, execution_id, activity_id, lane, work_item)
       VALUES (${KEY}, 1, 999, '', '{"Unheard":{}}')`,
  ],
} as const;
