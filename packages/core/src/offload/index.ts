/**
 * Large payloads outside the store: a provider that keeps them as blobs, and two blob stores.
 *
 * @module @duroxide-ts/core/offload
 */
export {
  type AzureBlobStoreOptions,
  azureBlobStore,
  type BlobClient,
  type BlobContainer,
} from "./azure-blob-store.ts";
export type { BlobStore } from "./blob-store.ts";
export { type FileBlobStoreOptions, fileBlobStore } from "./file-blob-store.ts";
export { type OffloadOptions, withOffload } from "./with-offload.ts";
