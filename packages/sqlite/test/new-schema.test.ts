/** A new file has the schema to which the migrations lead. */
import { DatabaseSync } from "node:sqlite";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { expect, it } from "vitest";
import { initialSchema } from "../src/schema/0001-initial.ts";
import { temporaryFolder } from "./support/fixture.ts";

function writeVersion1(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`${initialSchema}; PRAGMA application_id = 1685615731; PRAGMA user_version = 1`);
  db.close();
}

/** In the order of its creation, which decides between indexes that serve a statement equally well. */
async function schemaOf(path: string): Promise<readonly string[]> {
  const provider = await SqliteProvider.open(path);
  await provider[Symbol.asyncDispose]();
  const db = new DatabaseSync(path, { readOnly: true });
  const statements = db.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid").all();
  const version = db.prepare("PRAGMA user_version").all();
  const totals = db.prepare("SELECT * FROM totals").all();
  db.close();
  return [...statements.map((row) => withoutLayout(String(row["sql"]))), JSON.stringify([version, totals])];
}

/** An added column stands behind the line of the last one. */
function withoutLayout(sql: string): string {
  return sql.replaceAll(/\s+/g, " ").replaceAll(/ ([,)])/g, "$1");
}

it("a new file has the schema of a file that was migrated", async () => {
  using folder = temporaryFolder();
  writeVersion1(folder.file("old.db"));
  const migrated = await schemaOf(folder.file("old.db"));

  expect(migrated.length).toBeGreaterThan(30);
  expect(await schemaOf(folder.file("new.db"))).toEqual(migrated);
});
