/** A file that the first release has written (support/first-release.sql: tables, rows and version). */
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { expect } from "vitest";
import { inFolder } from "./support/fixture.ts";

const FIRST_RELEASE = fileURLToPath(new URL("./support/first-release.sql", import.meta.url));

function writeFirstRelease(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(readFileSync(FIRST_RELEASE, "utf8"));
  db.close();
}

/** Reads the schema in the order of its creation, which decides between indexes that serve a statement equally well. */
async function schemaOf(path: string): Promise<readonly string[]> {
  const provider = await SqliteProvider.open(path);
  await provider.close();
  const db = new DatabaseSync(path, { readOnly: true });
  const statements = db.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid").all();
  const version = db.prepare("PRAGMA user_version").all();
  db.close();
  return [...statements.map((row) => withoutLayout(String(row["sql"]))), JSON.stringify(version)];
}

/** An added column stands behind the line of the last one. */
function withoutLayout(sql: string): string {
  return sql.replaceAll(/\s+/g, " ").replaceAll(/ ([,)])/g, "$1");
}

inFolder("gets the schema of a new file", async (folder) => {
  writeFirstRelease(folder.file("old.db"));
  const migrated = await schemaOf(folder.file("old.db"));
  expect(migrated.length).toBeGreaterThan(30);
  expect(await schemaOf(folder.file("new.db"))).toEqual(migrated);
});

inFolder("keeps what has ended, and its open instance continues", async (folder) => {
  const path = folder.file("test.db");
  writeFirstRelease(path);
  const greet = activity("greet", async (_ctx, name: string) => `Hello, ${name}`);
  const order = orchestration("order", async (ctx, name: string) => {
    const first = await ctx.scheduleActivity(greet, name);
    ctx.kv.set("first", first);
    ctx.setCustomStatus("waits");
    const answer = await ctx.dequeue<string>("answers");
    return `${first}, ${answer}`;
  });
  await using provider = await SqliteProvider.open(path);
  const client = new Client(provider);
  expect(await client.handle(order, "ended").result()).toBe("Hello, Bob, bye");
  const open = client.handle(order, "open");
  expect(await open.status()).toMatchObject({ status: "Running", customStatus: "waits" });
  await using _runtime = await Runtime.start({ provider, orchestrations: [order], activities: [greet] });
  await open.enqueue("answers", "and bye");
  expect(await open.result()).toBe("Hello, Ada, and bye");
});
