/**
 * Files with the current schema and nothing in them. To create one costs SQLite several syncs of the disk and every
 * migration, which is most of a short test; a copy of one that was created before costs neither.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { temporaryFolder } from "./fixture.ts";

let template: Promise<Uint8Array> | undefined;

/** Writes an empty store, for tests whose subject is not how a file comes into being. */
export async function writeEmptyFile(path: string): Promise<void> {
  template ??= create();
  writeFileSync(path, await template);
}

async function create(): Promise<Uint8Array> {
  using folder = temporaryFolder();
  const path = folder.file("empty.db");
  const provider = await SqliteProvider.open(path);
  // The last connection copies its log into the file.
  await provider[Symbol.asyncDispose]();
  return readFileSync(path);
}
