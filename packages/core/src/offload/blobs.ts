/**
 * Texts in a blob store, by reference.
 *
 * - blobs.B1: A text is stored before a reference to it is returned, so every reader of the reference finds the text.
 * - blobs.B2: A loaded text equals the stored text: its SHA-256 is compared with the key.
 */
import { ProviderError } from "../contract/provider-error.ts";
import { thrownMessage } from "../errors/thrown-value.ts";
import { exceedsUtf8 } from "../wire/utf8.ts";
import type { BlobStore } from "./blob-store.ts";
import { keyOfContent, keyOfReference, looksLikeReference, referenceTo } from "./reference.ts";

/** The most concurrent requests of one call. */
const MOST_AT_ONCE = 8;

type Texts = ReadonlyMap<string, string>;

export class Blobs {
  readonly #store: BlobStore;
  readonly #aboveBytes: number;

  constructor(store: BlobStore, aboveBytes: number) {
    this.#store = store;
    this.#aboveBytes = aboveBytes;
  }

  /** Whether the text is stored as a blob. */
  readonly isLarge = (text: string): boolean =>
    exceedsUtf8(text, this.#aboveBytes) || looksLikeReference(text);

  /** References by text (blobs.B1). */
  save(operation: string, texts: ReadonlySet<string>): Promise<Texts> {
    return mapEach(texts, async (text) => {
      const content = Buffer.from(text);
      const key = keyOfContent(content);
      try {
        await this.#store.put(key, content);
      } catch (error) {
        throw unavailable(
          operation,
          `the blob store did not store a payload of ${content.length} bytes`,
          error,
        );
      }
      return referenceTo(key, content.length);
    });
  }

  /** Texts by reference (blobs.B2). */
  load(operation: string, references: ReadonlySet<string>): Promise<Texts> {
    return mapEach(references, async (reference) => {
      const key = keyOfReference(reference);
      if (key === undefined)
        throw corrupt(operation, `"${reference.slice(0, 100)}" is no reference to a blob`);
      const content = await this.#read(operation, key);
      if (content === undefined) {
        throw corrupt(
          operation,
          `the blob store has no blob ${key}; restore it, or give the blob store that has it`,
        );
      }
      if (keyOfContent(content) !== key) {
        throw corrupt(operation, `blob ${key} has another content than was stored; restore it`);
      }
      return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString();
    });
  }

  async #read(operation: string, key: string): Promise<Uint8Array | undefined> {
    try {
      return await this.#store.get(key);
    } catch (error) {
      throw unavailable(operation, `the blob store could not read blob ${key}`, error);
    }
  }
}

async function mapEach(texts: ReadonlySet<string>, map: (text: string) => Promise<string>): Promise<Texts> {
  const results = new Map<string, string>();
  const rest = texts.values();
  const workOff = async (): Promise<void> => {
    for (const text of rest) results.set(text, await map(text));
  };
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, texts.size) }, workOff));
  return results;
}

function unavailable(operation: string, what: string, cause: unknown): ProviderError {
  const message = `${what}: ${thrownMessage(cause)}`;
  return new ProviderError({ code: "unavailable", operation, message, cause });
}

function corrupt(operation: string, message: string): ProviderError {
  return new ProviderError({ code: "corrupt-data", operation, message });
}
