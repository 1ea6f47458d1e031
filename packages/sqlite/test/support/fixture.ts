/** Providers for tests: on a virtual clock, with files in a folder that is deleted at the end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { type Caller, complete, createInstance } from "@duroxide-ts/provider-tests/building-blocks";
import { SqliteProvider, type SqliteProviderOptions } from "@duroxide-ts/sqlite";
import { eachWith } from "../../../../test/support/each-with.ts";

/** The lease that tests take where they say nothing else. */
const LOCK_MS = 30_000;

/** The caller that the building blocks of the validation kit take. */
export interface SqliteCaller extends Caller {
  readonly provider: SqliteProvider;
}

export function callerOf(provider: SqliteProvider): SqliteCaller {
  return { provider, lockMs: LOCK_MS };
}

export interface Fixture extends SqliteCaller, AsyncDisposable {
  readonly clock: VirtualClock;
}

export async function openMemory(options: SqliteProviderOptions = {}): Promise<Fixture> {
  const clock = new VirtualClock();
  const provider = await SqliteProvider.open(":memory:", { clock, ...options });
  return { ...callerOf(provider), clock, [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose]() };
}

/** Lets first and second turns of the tests' orchestration be known as short, so that they may begin early. */
export async function proveTurnsShort(caller: SqliteCaller): Promise<void> {
  for (const id of ["short-1", "short-2"]) {
    await createInstance(caller, id);
    await complete(caller, id);
    await caller.provider.admin.deleteInstance(id);
  }
}

export interface Folder extends Disposable {
  readonly path: string;
  /** The path of a file in it. */
  file(name: string): string;
}

export function temporaryFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "duroxide-sqlite-"));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** A test with a folder of its own. */
export const inFolder = eachWith(temporaryFolder);

export interface FileFixture extends Fixture {
  readonly path: string;
  /** Another provider on the same file, with the same clock. */
  openAnother(options?: SqliteProviderOptions): Promise<SqliteCaller>;
  /** A plain connection, to read what is stored or to damage it. */
  openRaw(): DatabaseSync;
}

export async function openFile(options: SqliteProviderOptions = {}): Promise<FileFixture> {
  const folder = temporaryFolder();
  const path = folder.file("test.db");
  const clock = new VirtualClock();
  const provider = await SqliteProvider.open(path, { clock, ...options });
  const opened: SqliteProvider[] = [provider];
  const raw: DatabaseSync[] = [];
  return {
    ...callerOf(provider),
    clock,
    path,
    async openAnother(more = {}) {
      const another = await SqliteProvider.open(path, { clock, ...options, ...more });
      opened.push(another);
      return callerOf(another);
    },
    openRaw() {
      const connection = new DatabaseSync(path);
      raw.push(connection);
      return connection;
    },
    async [Symbol.asyncDispose]() {
      for (const connection of raw) connection.close();
      for (const each of opened) await each[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** A test on a store in memory. */
export const inMemory = eachWith(() => openMemory());

/** A test on a store in a file. */
export const onFile = eachWith(() => openFile());
