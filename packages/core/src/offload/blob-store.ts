/**
 * Stores large payloads. A key is the SHA-256 of its content, so a key always has the same content, and a repeated
 * `put` does not change it. All processes of a provider must use the same blobs.
 */
export interface BlobStore {
  /**
   * Resolves when the content is durable, because an event that refers to it is committed next. For an existing key it
   * renews the time of the last write, because a rule that deletes old blobs uses this time.
   */
  put(key: string, content: Uint8Array): Promise<void>;
  /** `undefined` if there is no such key. */
  get(key: string): Promise<Uint8Array | undefined>;
}
