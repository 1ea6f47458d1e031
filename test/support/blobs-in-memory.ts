/** Blobs of a test, which can be lost, damaged and out of reach. */
import type { BlobStore } from "@duroxide-ts/core/offload";

export class BlobsInMemory implements BlobStore {
  readonly blobs = new Map<string, Uint8Array>();
  /** Keys of every put, in order. */
  readonly putKeys: string[] = [];
  /** While set, every call fails with it. */
  outage: Error | undefined;

  async put(key: string, content: Uint8Array): Promise<void> {
    if (this.outage !== undefined) throw this.outage;
    this.putKeys.push(key);
    this.blobs.set(key, content);
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    if (this.outage !== undefined) throw this.outage;
    return this.blobs.get(key);
  }
}
