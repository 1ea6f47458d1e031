/** Blobs as files (file-blob-store.FB1). */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileBlobStore } from "../../src/offload/index.ts";
import { VirtualClock } from "../../src/testing/index.ts";

const KEY = "ab".repeat(32);
const CONTENT = Buffer.from("some content");
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "duroxide-ts-files-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("files as blobs", () => {
  it("are whole under their name, and only their owner can read them", async () => {
    const store = fileBlobStore(path.join(folder, "new"));
    expect(await store.get(KEY)).toBeUndefined();
    await store.put(KEY, CONTENT);
    expect(await store.get(KEY)).toEqual(CONTENT);
    expect(await readdir(path.join(folder, "new"), { recursive: true })).toEqual([
      "ab",
      path.join("ab", KEY),
    ]);
    if (process.platform === "win32") return;
    expect((await stat(path.join(folder, "new", "ab", KEY))).mode & 0o777).toBe(0o600);
  });

  it("renew their time when they are written again", async () => {
    const clock = new VirtualClock(1_000_000_000_000);
    const store = fileBlobStore(folder, { clock });
    await store.put(KEY, CONTENT);
    await clock.advance(86_400_000);
    await store.put(KEY, CONTENT);
    expect((await stat(path.join(folder, "ab", KEY))).mtimeMs).toBe(clock.now());
    expect(await store.get(KEY)).toEqual(CONTENT);
  });

  it("may be written by many at once", async () => {
    const stores = Array.from({ length: 20 }, () => fileBlobStore(folder));
    await Promise.all(stores.map((store) => store.put(KEY, CONTENT)));
    expect(await stores[0]?.get(KEY)).toEqual(CONTENT);
    expect(await readdir(path.join(folder, "ab"))).toEqual([KEY]);
  });

  it("are missing, not cut off, if their writer is killed", { timeout: 120_000 }, async () => {
    const store = fileBlobStore(folder);
    const module = path.resolve(import.meta.dirname, "../../src/offload/index.ts");
    const program = `
      const { fileBlobStore } = await import(${JSON.stringify(module)});
      process.stdout.write("ready");
      await fileBlobStore(${JSON.stringify(folder)}).put("${KEY}", Buffer.alloc(200_000_000, "x"));
    `;
    const child = spawn(process.execPath, [
      "--input-type=module",
      "--conditions=@duroxide-ts/source",
      "-e",
      program,
    ]);
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    await new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
    child.kill("SIGKILL");
    await ended;
    const left = await store.get(KEY);
    expect(left === undefined || left.length === 200_000_000).toBe(true);
    await store.put(KEY, CONTENT);
    expect((await store.get(KEY))?.length).toBe(left === undefined ? CONTENT.length : left.length);
  });

  it("are refused with keys that are no hashes", async () => {
    const store = fileBlobStore(folder);
    await expect(store.put("../../outside", CONTENT)).rejects.toThrow("must be a SHA-256 in hex");
    await expect(store.get("../../outside")).rejects.toThrow("must be a SHA-256 in hex");
  });

  it("leave nothing behind if they cannot be written", async () => {
    await mkdir(path.join(folder, "ab"));
    await mkdir(path.join(folder, "ab", KEY));
    await writeFile(path.join(folder, "ab", KEY, "in the way"), "");
    // The path of the file is a directory, so it can be touched but not read.
    await expect(fileBlobStore(folder).get(KEY)).rejects.toMatchObject({ code: "EISDIR" });
    await expect(
      fileBlobStore(path.join(folder, "ab", KEY, "in the way")).put(KEY, CONTENT),
    ).rejects.toThrow();
    expect(await readdir(folder, { recursive: true })).toHaveLength(3);
  });
});
