/** Blobs in a container of Azure Blob Storage, through the client that the caller made with `@azure/storage-blob`. */
import type { BlobStore } from "./blob-store.ts";

/** As much of a `ContainerClient` of `@azure/storage-blob` as is used. */
export interface BlobContainer {
  /** Names a blob; sends nothing. */
  getBlockBlobClient(name: string): BlobClient;
}

/** As much of a `BlockBlobClient` of `@azure/storage-blob` as is used. */
export interface BlobClient {
  /** Writes the blob, also where it exists. */
  upload(body: Uint8Array, contentLength: number): Promise<unknown>;
  /** Reads the whole blob. */
  downloadToBuffer(): Promise<Uint8Array>;
}

/** What `azureBlobStore` can be told. */
export interface AzureBlobStoreOptions {
  /** In front of the names of all blobs, such as `"orders/"`; nothing by default. */
  readonly prefix?: string;
}

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
export function azureBlobStore(
  container: BlobContainer,
  { prefix = "" }: AzureBlobStoreOptions = {},
): BlobStore {
  return {
    // Also of a blob that is there: its time of last write has to be renewed, and the content is the same.
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

/** As much of the SDK's `RestError` as is used. An answer without a body has its code in `details` only. */
interface RestError {
  readonly statusCode?: number;
  readonly code?: string;
  readonly details?: { readonly errorCode?: string };
}

/** A missing container is no missing blob: it is a wrong address. */
function isMissingBlob(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { statusCode, code, details } = error as Error & RestError;
  return statusCode === 404 && (code ?? details?.errorCode) === "BlobNotFound";
}
