/**
 * A witness that the library knows nothing of: a file to which every activity adds a line when it begins and when
 * it ends. The demo compares it with what the database says.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { AnyActivity } from "@duroxide-ts/core";

export interface LedgerLine {
  readonly pid: number;
  readonly atMs: number;
  readonly what: "begin" | "done" | "failed";
  /** The activity's idempotency key: the same for every delivery of one activity. */
  readonly key: string;
  readonly name: string;
}

/** The ledger lies beside the database. */
export function ledgerOf(databaseFile: string): string {
  return path.join(path.dirname(databaseFile), "ledger.jsonl");
}

/** The same activity, with a line before and a line after it. */
export function witnessed(ledgerFile: string, definition: AnyActivity): AnyActivity {
  const write = (what: LedgerLine["what"], key: string): void => {
    const line: LedgerLine = { pid: process.pid, atMs: Date.now(), what, key, name: definition.name };
    // Written at once and by one call: what was written is there, whatever happens to the process then.
    appendFileSync(ledgerFile, `${JSON.stringify(line)}\n`);
  };
  const handler: AnyActivity["handler"] = async (ctx, input) => {
    write("begin", ctx.idempotencyKey);
    try {
      const result: unknown = await definition.handler(ctx, input);
      write("done", ctx.idempotencyKey);
      return result;
    } catch (error) {
      write("failed", ctx.idempotencyKey);
      throw error;
    }
  };
  return { ...definition, handler };
}

export function readLedger(ledgerFile: string): readonly LedgerLine[] {
  if (!existsSync(ledgerFile)) return [];
  const lines = readFileSync(ledgerFile, "utf8").trimEnd().split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as LedgerLine);
}
