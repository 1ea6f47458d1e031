/**
 * The form of an encrypted text: `duroxide-enc1.<key id>.<packing>.<base64url>`, of which the last part is salt, nonce,
 * ciphertext and tag.
 *
 * - envelope.EV1: All parts before the last are authenticated with the ciphertext, so they cannot be changed.
 * - envelope.EV2: Each text has a separate key, derived from the user's key and a random salt, and a random nonce,
 *   because AES-GCM with one key and random nonces is safe only for 2^32 texts.
 * - envelope.EV3: Salt and nonce come from the system's generator, not from a Random parameter, because a repeated
 *   nonce of a test generator would reveal the encrypted data.
 */
import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomBytes } from "node:crypto";
import type { Packing } from "./compression.ts";

const VERSION = "duroxide-enc1";
const PREFIX = `${VERSION}.`;
const FORM = /^duroxide-enc1\.([\w-]{1,64})\.([nbd])\.([\w-]+)$/;
const ALGORITHM = "aes-256-gcm";
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface Envelope {
  readonly keyId: string;
  readonly packing: Packing;
  readonly sealed: Buffer;
}

/** Whether the text has the prefix of an encrypted text. */
export function isEnvelope(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** `undefined` if the text has the prefix but not the form. */
export function openEnvelope(text: string): Envelope | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, keyId = "", packing, body = ""] = match;
  const sealed = Buffer.from(body, "base64url");
  if (sealed.length < SALT_BYTES + NONCE_BYTES + TAG_BYTES) return undefined;
  return { keyId, packing: packing as Packing, sealed };
}

export interface Sealing {
  readonly keyId: string;
  readonly secret: KeyObject;
  readonly packing: Packing;
  readonly associatedData: string;
}

export function seal({ keyId, secret, packing, associatedData }: Sealing, plain: Buffer): string {
  const header = headerOf(keyId, packing);
  const drawn = randomBytes(SALT_BYTES + NONCE_BYTES);
  const nonce = drawn.subarray(SALT_BYTES);
  const key = textKey(secret, drawn.subarray(0, SALT_BYTES));
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(header + associatedData));
  const sealed = Buffer.concat([drawn, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return header + sealed.toString("base64url");
}

/** Throws if the key, the text or the associated data differs. */
export function unseal({ keyId, secret, packing, associatedData }: Sealing, sealed: Buffer): Buffer {
  const nonce = sealed.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES);
  const key = textKey(secret, sealed.subarray(0, SALT_BYTES));
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(headerOf(keyId, packing) + associatedData));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const ciphertext = sealed.subarray(SALT_BYTES + NONCE_BYTES, sealed.length - TAG_BYTES);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

function headerOf(keyId: string, packing: Packing): string {
  return `${PREFIX}${keyId}.${packing}.`;
}

/** envelope.EV2. */
function textKey(secret: KeyObject, salt: Buffer): Buffer {
  return createHmac("sha256", secret).update(VERSION).update(salt).digest();
}
