/** Blobs in a container of Azure Blob Storage, through a client of `@azure/storage-blob` that the caller creates. */
import { isError } from "../errors/thrown-value.ts";
import { checkOptions, type OptionList, optionList } from "../options/option-list.ts";
import type { BlobStore } from "./blob-store.ts";

/** The used part of a `ContainerClient` of `@azure/storage-blob`. */
export interface BlobContainer {
  /** Returns a client for a blob; sends no request. */
  getBlockBlobClient(name: string): BlobClient;
}

/** The used part of a `BlockBlobClient` of `@azure/storage-blob`. */
export interface BlobClient {
  /** Writes the blob, also if it exists. */
  upload(body: Uint8Array, contentLength: number): Promise<unknown>;
  /** Reads the whole blob. */
  downloadToBuffer(): Promise<Uint8Array>;
}

/** The options of `azureBlobStore`. */
export interface AzureBlobStoreOptions {
  /** The prefix of the names of all blobs, such as `"orders/"`; empty by default. */
  readonly prefix?: string;
}

const OPTIONS: OptionList = optionList<AzureBlobStoreOptions>({ prefix: true });

/**
 * Keeps blobs in a container, which has to exist. The client's identity needs the role Storage Blob Data Contributor on
 * it. A blob is one upload, so it may have 5,000 MiB.
 *
 * @example
 * ```ts
 * const container = new ContainerClient("https://account.blob.core.windows.net/payloads", new DefaultAzureCredential());
 * const provider = withOffload(await CosmosProvider.fromEnvironment(), { store: azureBlobStore(container) });
 * ```
 */
export function azureBlobStore(container: BlobContainer, options: AzureBlobStoreOptions = {}): BlobStore {
  checkOptions("azureBlobStore", options, OPTIONS);
  const { prefix = "" } = options;
  return {
    // Also writes an existing blob, to renew its time of last write; the content is the same.
    async put(key, content) {
      await container.getBlockBlobClient(prefix + key).upload(content, content.byteLength);
    },
    async get(key) {
      try {
        return await container.getBlockBlobClient(prefix + key).downloadToBuffer();
      } catch (error) {
        if (isMissingBlob(error)) return undefined;
        throw error;
      }
    },
  };
}

/** The used part of the SDK's `RestError`. For a response without a body, only `details` has the code. */
interface RestError {
  readonly statusCode?: number;
  readonly code?: string;
  readonly details?: { readonly errorCode?: string };
}

/** Whether a blob is missing; a missing container is a wrong address instead. */
function isMissingBlob(error: unknown): boolean {
  if (!isError(error)) return false;
  const { statusCode, code, details } = error as Error & RestError;
  return statusCode === 404 && (code ?? details?.errorCode) === "BlobNotFound";
}
