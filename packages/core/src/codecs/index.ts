/**
 * Codecs for special needs.
 *
 * @module @duroxide-ts/core/codecs
 */
export type { Compression } from "./compression.ts";
export { type EncryptedCodecOptions, encryptedCodec } from "./encrypted-codec.ts";
export type { EncryptionKey } from "./key-ring.ts";
