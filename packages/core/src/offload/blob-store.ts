/**
 * Where large payloads are kept. A key is the SHA-256 of its content, so one key always has one content, and a repeated
 * `put` changes nothing. All processes of a provider need the same blobs.
 */
export interface BlobStore {
  /**
   * Resolves when the content is durable: an event that refers to it is committed next. Of a key that is there already it
   * renews the time of the last write, by which old blobs may be deleted.
   */
  put(key: string, content: Uint8Array): Promise<void>;
  /** `undefined` where there is no such key. */
  get(key: string): Promise<Uint8Array | undefined>;
}
