/** Compresses payloads before encryption, because encrypted data cannot be compressed. */
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateRawSync,
  inflateRawSync,
} from "node:zlib";
import { ConfigurationError } from "../errors/duroxide-error.ts";
import { shown } from "../options/option-list.ts";

/**
 * Choice of the payloads that are compressed. The length of a compressed text depends on its content: leave it off
 * where an attacker chooses a part of a payload and can see the length of the whole.
 */
export interface Compression {
  /** UTF-8 bytes. Shorter payloads, and payloads that compression does not shorten, are not compressed. */
  readonly aboveBytes: number;
  /** Brotli by default: smaller, and somewhat slower to write. */
  readonly method?: "brotli" | "deflate";
}

/** The compression as written in the envelope: none, Brotli, deflate. */
export type Packing = "n" | "b" | "d";

/** A low quality, because compression blocks the event loop. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

export function checkCompression({ aboveBytes, method = "brotli" }: Compression): void {
  if (!Number.isInteger(aboveBytes) || aboveBytes < 0) {
    throw new ConfigurationError(
      `compress.aboveBytes must be a whole number of 0 or more; got ${shown(aboveBytes)}`,
    );
  }
  if (method === "brotli" || method === "deflate") return;
  throw new ConfigurationError(
    `compress.method must be "brotli" or "deflate"; got ${JSON.stringify(method)}`,
  );
}

export function pack(plain: Buffer, compression: Compression | undefined): readonly [Packing, Buffer] {
  if (compression === undefined || plain.length <= compression.aboveBytes) return ["n", plain];
  const { method = "brotli" } = compression;
  const packed = method === "brotli" ? brotliCompressSync(plain, QUALITY) : deflateRawSync(plain);
  if (packed.length >= plain.length) return ["n", plain];
  return [method === "brotli" ? "b" : "d", packed];
}

/** Throws for more than `longest` bytes. */
export function unpack(packing: Packing, packed: Buffer, longest: number): Buffer {
  switch (packing) {
    case "n":
      return packed;
    case "b":
      return brotliDecompressSync(packed, { maxOutputLength: longest });
    case "d":
      return inflateRawSync(packed, { maxOutputLength: longest });
  }
}
