/**
 * A process of its own: overwrites the same twenty items in each of its batches, with the number of the batch, and
 * kills itself in the sixth, while it writes the item that its argument names. Prints the numbers that were
 * acknowledged.
 *
 * Each item fills a page, and SQLite is left next to no memory for pages, so that what the sixth batch has written has
 * reached the disk. That is the state that a kill within a large commit leaves behind, and only the journal undoes it.
 */
import { writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Engine } from "../../../src/engine/index.ts";

const [, , path = "", fatalId = ""] = process.argv;
const FATAL_BATCH = 5;
const IDS = Array.from({ length: 20 }, (_, index) => String(index + 1));
const PAYLOAD = "x".repeat(3000);
const CACHE_PAGES = 5;

/** The engine's own connection, seen when it sets its pragmas. */
let connection: DatabaseSync | undefined;
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (script) {
  connection = this;
  exec.call(this, script);
};

const engine = Engine.open({
  path,
  now: () => Date.now(),
  random: () => 0,
  physicalPartitions: 1,
  lenient: false,
});
engine.createDatabase({ id: "db" });
engine.createContainer("db", { id: "docs", partitionKey: { paths: ["/pk"], kind: "Hash", version: 2 } });
const container = engine.container("db", "docs");

const [table] = connection?.prepare("SELECT name FROM sqlite_schema WHERE name GLOB 'items_*'").all() ?? [];
connection?.function("die", () => {
  process.kill(process.pid, "SIGKILL");
  return null;
});
connection?.exec(`
  PRAGMA cache_size = ${CACHE_PAGES};
  CREATE TEMP TRIGGER death AFTER UPDATE ON main.${String(table?.["name"])}
    WHEN new.id = '${fatalId}' AND new.body ->> '$.number' = ${FATAL_BATCH} BEGIN SELECT die(); END;
`);

for (let number = 0; ; number++) {
  const upserts = IDS.map(
    (id) => ({ kind: "upsert", body: { id, pk: "p", number, payload: PAYLOAD } }) as const,
  );
  container.batch(["p"], upserts, "atomic");
  writeSync(1, `${number}\n`);
}
