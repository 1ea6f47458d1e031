/**
 * Encrypts payloads, so that only processes with a key can read and write them (docs/decisions/payloads.md).
 *
 * - encrypted-codec.EC1: No message contains a key or a part of a payload, because failures are stored in clear.
 *   Messages of the inner codec are therefore left out, also as a cause.
 * - encrypted-codec.EC2: A text in clear is read only with `allowPlain`, because otherwise a writer without the key
 *   could forge payloads.
 */
import { LimitExceededError } from "../errors/duroxide-error.ts";
import { checkOptions, type OptionList, optionList } from "../options/option-list.ts";
import { jsonCodec } from "../payload/json-codec.ts";
import type { PayloadCodec } from "../payload/payload-codec.ts";
import { PayloadError } from "../payload/payload-error.ts";
import { type Compression, checkCompression, pack, unpack } from "./compression.ts";
import { type Envelope, isEnvelope, openEnvelope, seal, unseal } from "./envelope.ts";
import { type EncryptionKey, KeyRing } from "./key-ring.ts";

/** The options of `encryptedCodec`. */
export interface EncryptedCodecOptions {
  /**
   * The first encrypts, all decrypt. To rotate: add the new key at the end in every process, then move it to the front
   * in every process. Remove the old one when no text of it is left.
   */
  readonly keys: readonly EncryptionKey[];
  /** Encodes values as texts before the encryption; JSON by default. */
  readonly codec?: PayloadCodec;
  /** Off by default. */
  readonly compress?: Compression;
  /**
   * Authenticated with each text and not stored, such as the name of the application: texts that were written with
   * other associated data are rejected. It cannot be changed later.
   */
  readonly associatedData?: string;
  /**
   * False by default. Whether the inner codec reads texts that are not encrypted: for a store that was used before
   * encryption was enabled, and only until its old instances are deleted. Meanwhile every writer of the store can write
   * payloads without the key.
   */
  readonly allowPlain?: boolean;
}

const OPTIONS: OptionList = optionList<EncryptedCodecOptions>({
  keys: true,
  codec: true,
  compress: true,
  associatedData: true,
  allowPlain: true,
});

/**
 * Encrypts and authenticates payloads with AES-256-GCM. Names, ids, errors and times stay in clear (docs/security.md),
 * and Rust workers cannot read the payloads. Bad options are a ConfigurationError. Texts that cannot be decrypted are a
 * PayloadError, which names the key where it is missing.
 *
 * @example
 * ```ts
 * const codec = encryptedCodec({ keys: [{ id: "2026-01", key: Buffer.from(process.env.PAYLOAD_KEY ?? "", "base64") }] });
 * await Runtime.start({ provider, orchestrations, activities, codec });
 * const client = new Client(provider, { codec });
 * ```
 */
export function encryptedCodec(options: EncryptedCodecOptions): PayloadCodec {
  checkOptions("encryptedCodec", options, OPTIONS);
  return codecWithin(options, undefined);
}

function codecWithin(options: EncryptedCodecOptions, maxBytes: number | undefined): PayloadCodec {
  const { keys, codec: inner = jsonCodec, compress, associatedData = "", allowPlain = false } = options;
  const ring = new KeyRing(keys);
  if (compress !== undefined) checkCompression(compress);
  const name = `encrypted ${inner.name}`;
  const open = (envelope: Envelope | undefined): string => {
    if (envelope === undefined) throw unreadable(name, "its envelope is damaged");
    const { keyId, packing, sealed } = envelope;
    const secret = ring.get(keyId);
    if (secret === undefined) throw unreadable(name, unknownKey(keyId));
    let packed: Buffer;
    try {
      packed = unseal({ keyId, secret, packing, associatedData }, sealed);
    } catch {
      throw unreadable(name, forged(keyId));
    }
    try {
      return unpack(packing, packed, longestUnpacked(maxBytes)).toString();
    } catch {
      throw unreadable(name, `it is damaged, or longer than ${longestUnpacked(maxBytes)} bytes unpacked`);
    }
  };
  return {
    name,
    within: (bytes) => codecWithin(options, bytes),
    encode(value) {
      const bytes = Buffer.from(encodeInner(inner, name, value));
      if (compress !== undefined) checkLength(name, bytes, maxBytes);
      const [packing, plain] = pack(bytes, compress);
      const { id: keyId, secret } = ring.first;
      return seal({ keyId, secret, packing, associatedData }, plain);
    },
    decode(text) {
      if (isEnvelope(text)) return decodeInner(inner, name, open(openEnvelope(text)));
      if (allowPlain) return decodeInner(inner, name, text);
      throw unreadable(name, "it is not encrypted; allowPlain reads what was stored before encryption");
    },
  };
}

/** Bytes that any process can unpack: a limit may have been higher when a payload was written. */
const UNPACKED_BYTES = 16_777_216;
const HIGHER_LIMITS = 4;

/** A short text may unpack to gigabytes, at every delivery. */
function longestUnpacked(maxBytes = 0): number {
  return Math.max(UNPACKED_BYTES, maxBytes * HIGHER_LIMITS);
}

/** The runtime's limit counts the encrypted text, which compression makes short. */
function checkLength(name: string, { length }: Buffer, maxBytes = Number.POSITIVE_INFINITY): void {
  if (length <= maxBytes) return;
  throw new LimitExceededError(
    `${name}: the payload takes ${length} bytes before it is compressed, more than maxPayloadBytes (${maxBytes}); ` +
      "store it elsewhere and pass a reference to it",
  );
}

/** encrypted-codec.EC1. */
function encodeInner(inner: PayloadCodec, name: string, value: unknown): string {
  let text: unknown;
  try {
    text = inner.encode(value);
  } catch {
    throw new PayloadError(name, "", `was refused by the codec "${inner.name}"; ${HINT}`);
  }
  if (typeof text === "string") return text;
  throw new PayloadError(name, "", `was not encoded as a text by the codec "${inner.name}"`);
}

/** encrypted-codec.EC1. */
function decodeInner(inner: PayloadCodec, name: string, text: string): unknown {
  try {
    return inner.decode(text);
  } catch {
    throw unreadable(name, `it was decrypted, but the codec "${inner.name}" cannot read it`);
  }
}

const HINT =
  "what it says is left out, because errors are stored in clear: encode the value with it alone to see it";

function unknownKey(keyId: string): string {
  return (
    `it was encrypted with key "${keyId}", which is not among the keys of this codec; ` +
    "add it, in every process and before any process encrypts with it"
  );
}

function forged(keyId: string): string {
  return `key "${keyId}" does not open it: another key has this id, the associated data differ, or the text was changed`;
}

function unreadable(name: string, reason: string): PayloadError {
  return new PayloadError(name, "", `cannot be decrypted: ${reason}`);
}
