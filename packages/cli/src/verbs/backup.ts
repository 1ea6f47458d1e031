/** `duroxide backup`: a copy of a SQLite store while it is used. */
import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { defineVerb, type Verb } from "../command/verb.ts";
import { oneId } from "../command/words.ts";
import { CommandError, EXIT, usage } from "../errors/exit-code.ts";
import { printAnswer } from "../output/answer.ts";
import { safeText } from "../text/safe-text.ts";
import { bytes, span } from "../text/times.ts";

export const backup: Verb = defineVerb({
  name: "backup",
  takes: "<file>",
  flags: {},
  details: `
SQLite only. The copy is the store at one moment (VACUUM INTO), without free space; workers go on meanwhile. A file
that exists is refused. Cosmos DB has backups of its own; export moves single instances.`,
  examples: [
    ["backup orders-copy.db", "a copy of the store"],
    ["backup /mnt/backup/orders.db -o json", "with the size, for a program"],
  ],
  async run(call) {
    const { terminal } = call;
    const to = path.resolve(terminal.folder, oneId(call.words, "backup <file>"));
    const { kind, file } = await call.store("read");
    if (file === undefined)
      throw usage(`A backup is for SQLite, and this store is ${kind}`, "duroxide export moves instances");
    if (existsSync(to)) throw new CommandError(EXIT.failed, `${to} exists already; name another file`);
    const sinceMs = terminal.clock.now();
    const database = new DatabaseSync(file, { readOnly: true });
    // Under another name until it is whole, so that what a failure or a killed process leaves is no backup.
    const part = `${to}.part`;
    rmSync(part, { force: true });
    try {
      database.prepare("VACUUM INTO ?").run(part);
      mark(part, sinceMs);
      renameSync(part, to);
    } catch (error) {
      rmSync(part, { force: true });
      const why = error instanceof Error ? error.message : String(error);
      throw new CommandError(EXIT.failed, `${to} could not be written, and nothing of it is left: ${why}`);
    } finally {
      database.close();
    }
    const { size } = statSync(to);
    const tookMs = terminal.clock.now() - sinceMs;
    printAnswer(call, {
      value: { file: to, bytes: size, durationMs: tookMs },
      id: to,
      text: `${safeText(to)} is a copy of ${safeText(file)} (${bytes(size)}, ${span(tookMs)})\n`,
      next: [["list", "--store", `sqlite:${to}`]],
    });
    return EXIT.ok;
  },
});

/**
 * Gives the copy a counter of schema changes that no other copy has. By it the store recognises the log of another file
 * beside it (open-database.O4).
 */
function mark(file: string, nowMs: number): void {
  // Only so does SQLite write the counter.
  const copy = new DatabaseSync(file, { defensive: false });
  try {
    copy.exec(`PRAGMA schema_version = ${nowMs % 2 ** 31}`);
  } finally {
    copy.close();
  }
}
