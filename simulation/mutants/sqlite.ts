/** Bugs of the SQLite provider. */
import { type Mutant, named } from "./mutant.ts";

export const sqliteMutants: readonly Mutant[] = named({
  "commits without a sync of the log": {
    file: "sqlite/src/connection/open-database.ts",
    find: "{ readOnly, durability, maxSizeBytes }: Settings, schema: Schema): void {",
    replace:
      '{ readOnly, maxSizeBytes }: Settings, schema: Schema): void {\n  const durability: string = "process";',
  },
  "opens a file without a sync of its log": {
    file: "sqlite/src/connection/open-database.ts",
    find: 'if (path !== undefined && settings.durability === "power") syncLog(path);',
    replace: 'if (path === "") syncLog(path);',
  },
  "keeps what was sent to the children of a deleted instance that have not begun": {
    file: "sqlite/src/storing/delete-tree.ts",
    find: "      deleteUnbegun(tx, instance.instance_id) +\n",
    replace: "",
  },
  "keeps the lock of a first turn whose parent is deleted": {
    file: "sqlite/src/storing/delete-tree.ts",
    find: "    tx.db.run(DELETE_INSTANCE, key);\n",
    replace: "",
  },
  "answers before the commit": {
    file: "sqlite/src/commit/open-transaction.ts",
    find: '      this.db.run("COMMIT");\n',
    replace:
      '      for (const { write, value, refusal } of this.#outcomes) if (refusal === undefined) write.resolve(value);\n      this.db.run("COMMIT");\n',
  },
  "takes a failed commit for a success": {
    file: "sqlite/src/commit/open-transaction.ts",
    find: 'throw this.failed("commit", error);',
    replace: 'void this.failed("commit", error);',
  },
  "does not remember the ids of messages": {
    file: "sqlite/src/storing/message-ids.ts",
    find: 'if (tx.db.run(REMEMBER, day, messageId, instanceId) > 0) return "new";',
    replace: 'if (REMEMBER !== IS_KNOWN && day > 0) return "new";',
  },
  "consumes messages that came during the turn": {
    file: "sqlite/src/operations/ack-orchestration-item.ts",
    find: "WHERE instance_key = ? AND visible_at <= ? AND lock_token = ?`;",
    replace: "WHERE instance_key = ? AND visible_at <= ? AND (lock_token = ? OR lock_token IS NULL)`;",
  },
  "goes on in a file that was replaced": {
    file: "sqlite/src/connection/database-file.ts",
    find: "if (opened === undefined) return undefined;",
    replace: 'if (opened === undefined || path !== "") return undefined;',
  },
  "locks an instance that is suspended": {
    file: "sqlite/src/turn/lock-instance.ts",
    find: "if (instance.suspended_since !== null) {",
    replace: "if (instance.suspended_since === -1) {",
  },
  "starts over an instance whose id must be free": {
    file: "sqlite/src/operations/start-instance.ts",
    find: 'ifExists === "fail" || !hasEnded(found.status);',
    replace: "!hasEnded(found.status);",
  },
  "keeps the earlier life of an instance that is started over": {
    file: "sqlite/src/operations/start-instance.ts",
    find: '      if (ifExists === "restart") deleteTree(tx, OPERATION, id);\n',
    replace: "",
  },
  "keeps an erased entry for the next execution": {
    file: "sqlite/src/turn/store-kv.ts",
    find: "  tx.db.run(MERGE_REMOVALS, instanceKey);\n",
    replace: "",
  },
  "leaves an instance out between two pages of a list": {
    file: "sqlite/src/admin/queries/query-instances.ts",
    find: "if (isFull && last !== undefined) return { keys, end: [last.at, last.key] };",
    replace: "if (isFull && last !== undefined) return { keys, end: [last.at - 1, last.key] };",
  },
  "keeps the custom status of a deleted instance for the next life of its id": {
    file: "sqlite/src/storing/delete-tree.ts",
    find: '  "DELETE FROM custom_statuses WHERE instance_key = ?",\n',
    replace: "",
  },
  "releases a blocked batch in pieces": {
    file: "sqlite/src/operations/abandon-orchestration-item.ts",
    find: "const tag = options.blocked === undefined ? null : secret;",
    replace: "const tag = null;",
  },
  "lets a fused turn overtake a message that is visible": {
    file: "sqlite/src/operations/ack-fused-turn.ts",
    find: "(due_at IS NULL OR due_at > ?)",
    replace: "(due_at IS NULL OR due_at > -?)",
  },
  "forgets the ids of messages at midnight": {
    file: "sqlite/src/storing/message-ids.ts",
    find: "WHERE m.day IN (?1 - 1, ?1 + 1) AND",
    replace: "WHERE m.day IN (?1 + 1) AND",
  },
  "does not see that a backlog is larger than a batch": {
    file: "sqlite/src/turn/batch.ts",
    find: "MAX_BATCH + 1",
    replace: "MAX_BATCH",
  },
  "lets a permit survive its lock": {
    file: "sqlite/src/limits/permits.ts",
    find: "?3 * (SELECT count(*) FROM worker_queue WHERE limit_key = ?1 AND lock_token IS NOT NULL AND due_at > ?2)",
    replace: "?3 * (SELECT count(*) FROM worker_queue WHERE limit_key = ?1 AND lock_token IS NOT NULL)",
    also: [
      {
        file: "sqlite/src/limits/permits.ts",
        find: "(FIRST_END, level, nowMs)?.due_at ?? nowMs;",
        replace: "(FIRST_END, level, nowMs)?.due_at ?? nowMs + 3_600_000;",
      },
    ],
  },
  "counts a rate in each process": {
    file: "sqlite/src/limits/permits.ts",
    find: "db.run(SPEND, level, afterBegin(rule, perMs, spentMs, beginAtMs));",
    replace: `const own = OWN.get(db) ?? new Map<string, number>();
    OWN.set(db, own.set(level, afterBegin(rule, perMs, spentMs, beginAtMs)));
    void SPEND;`,
    also: [
      {
        file: "sqlite/src/limits/permits.ts",
        find: "return db.get<{ spent_until: number }>(SPENT, level)?.spent_until ?? Number.NEGATIVE_INFINITY;",
        replace: "void SPENT;\n  return OWN.get(db)?.get(level) ?? Number.NEGATIVE_INFINITY;",
      },
      {
        file: "sqlite/src/limits/permits.ts",
        find: "/** The times between which a handler is called, ms since the epoch. */",
        replace: "const OWN = new WeakMap<Database, Map<string, number>>();",
      },
      // A queue is closed until the slot that one process has found; here each looks again.
      {
        file: "sqlite/src/limits/next-ranked.ts",
        find: "close(tx, key, held);",
        replace: "close(tx, key, { ...held, untilMs: Math.min(held.untilMs, tx.nowMs + 50) });",
      },
    ],
  },
  "frees the locks of processes of its machine that live (sqlite)": {
    file: "sqlite/src/fetching/dead-holders.ts",
    find: "others.filter((row) => this.#processes.hasEnded(row))",
    replace: 'others.filter((row) => row.space !== "")',
  },
  "frees the locks of all processes when one has ended (sqlite)": {
    file: "sqlite/src/fetching/dead-holders.ts",
    find: "const { from, below } = secretsOf(holder);",
    replace: 'const { from, below } = { ...secretsOf(holder), from: "", below: "~" };',
  },
  "lets an activity write to a stream that another process has taken over (sqlite)": {
    file: "sqlite/src/streams/owner.ts",
    find: "WHERE w.id = ? AND w.lock_token = ?`",
    replace: "WHERE w.id = ? AND w.lock_token <> ? || 'other'`",
  },
});
