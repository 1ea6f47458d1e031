/**
 * Blobs as files of a folder that all processes share.
 *
 * - file-blob-store.FB1: A file with its final name has its whole content, because it is written with another name,
 *   synced and renamed. A process that ends in between leaves a file that ends in `.tmp`, which is never read.
 * - file-blob-store.FB2: `put` resolves when file and name survive a power failure.
 */

import { mkdir, open, readFile, rename, rm, utimes } from "node:fs/promises";
import path from "node:path";
import { type Clock, type Random, systemClock, systemRandom } from "../contract/clock.ts";
import { isError } from "../errors/thrown-value.ts";
import { checkOptions, type OptionList, optionList } from "../options/option-list.ts";
import type { BlobStore } from "./blob-store.ts";

/** The options of `fileBlobStore`. */
export interface FileBlobStoreOptions {
  /** Clock for the time of the last write of a file. */
  readonly clock?: Clock;
  /** Source of the names of files that are being written. */
  readonly random?: Random;
}

const OPTIONS: OptionList = optionList<FileBlobStoreOptions>({ clock: true, random: true });

const KEY = /^[0-9a-f]{64}$/;

/**
 * Keeps blobs as files in a folder, which is created with rights for its owner only. Works for processes of one
 * machine, and for several machines if the folder is on a file system with atomic renames.
 */
export function fileBlobStore(folder: string, options: FileBlobStoreOptions = {}): BlobStore {
  checkOptions("fileBlobStore", options, OPTIONS);
  const { clock = systemClock, random = systemRandom } = options;
  const fileOf = (key: string): string => {
    if (!KEY.test(key)) throw new TypeError("the key of a blob must be a SHA-256 in hex");
    return path.join(folder, key.slice(0, 2), key);
  };
  return {
    async put(key, content) {
      const file = fileOf(key);
      const seconds = clock.now() / 1_000;
      const parent = path.dirname(file);
      if (!(await succeeds(utimes(file, seconds, seconds)))) {
        await mkdir(parent, { recursive: true, mode: 0o700 });
        await writeWhole(file, `${file}.${random.uuid()}.tmp`, content);
      }
      // Also for an existing file, because the process that renamed it may have ended before this sync.
      for (const directory of [parent, folder]) await syncDirectory(directory);
    },
    async get(key) {
      try {
        return await readFile(fileOf(key));
      } catch (error) {
        if (codeOf(error) === "ENOENT") return undefined;
        throw error;
      }
    },
  };
}

/** False if there is no such file. */
async function succeeds(touched: Promise<void>): Promise<boolean> {
  try {
    await touched;
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

/** file-blob-store.FB1. */
async function writeWhole(file: string, draft: string, content: Uint8Array): Promise<void> {
  try {
    {
      await using handle = await open(draft, "wx", 0o600);
      await handle.writeFile(content);
      await handle.sync();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** file-blob-store.FB2. Windows cannot sync directories, and does not need to. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  await using handle = await open(directory, "r");
  await handle.sync();
}

function codeOf(error: unknown): unknown {
  return isError(error) && "code" in error ? error.code : undefined;
}
