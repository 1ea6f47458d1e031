/**
 * A process of its own: writes batches of five items into a file, each batch to a partition of its own, until it
 * is killed, and prints the number of each that was acknowledged.
 */
import { writeSync } from "node:fs";
import { argv } from "node:process";
import { Engine } from "../../../src/engine/index.ts";

const [, , path = "", prefix = ""] = argv;
const engine = Engine.open({
  path,
  now: () => Date.now(),
  random: () => 0,
  physicalPartitions: 1,
  lenient: false,
});
if (engine.listDatabases().length === 0) {
  engine.createDatabase({ id: "db" });
  engine.createContainer("db", { id: "docs", partitionKey: { paths: ["/pk"], kind: "Hash", version: 2 } });
}
const container = engine.container("db", "docs");

for (let number = 0; ; number++) {
  const pk = `${prefix}-${number}`;
  const operations = ["1", "2", "3", "4", "5"].map(
    (id) => ({ kind: "create", body: { id, pk, number } }) as const,
  );
  const counter = { kind: "upsert", body: { id: "last", pk, number } } as const;
  container.batch([pk], [...operations, counter], "atomic");
  writeSync(1, `${pk}\n`);
}
