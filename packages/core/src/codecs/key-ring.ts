/** The keys of a codec by their ids. No message of it contains a key. */
import { createSecretKey, KeyObject } from "node:crypto";
import { ConfigurationError } from "../errors/duroxide-error.ts";

/** A key and its id in stored texts. */
export interface EncryptionKey {
  /** 1 to 64 letters, digits, `-` and `_`; stored in clear with each text. Never give one id to two keys. */
  readonly id: string;
  /** 32 random bytes, such as `randomBytes(32)` of node:crypto; not a passphrase. */
  readonly key: Uint8Array | KeyObject;
}

const KEY_BYTES = 32;
const ID = /^[\w-]{1,64}$/;

export class KeyRing {
  /** The one that encrypts. */
  readonly first: { readonly id: string; readonly secret: KeyObject };
  readonly #secrets = new Map<string, KeyObject>();

  constructor(keys: readonly EncryptionKey[]) {
    for (const { id, key } of keys) {
      if (typeof id !== "string" || !ID.test(id)) {
        throw new ConfigurationError('the id of a key must have 1 to 64 letters, digits, "-" and "_"');
      }
      if (this.#secrets.has(id)) {
        throw new ConfigurationError(`two keys have the id "${id}"; give each an id of its own`);
      }
      this.#secrets.set(id, secretOf(id, key));
    }
    const [first] = this.#secrets;
    if (first === undefined) throw new ConfigurationError("encryptedCodec needs at least one key");
    this.first = { id: first[0], secret: first[1] };
  }

  get(id: string): KeyObject | undefined {
    return this.#secrets.get(id);
  }
}

function secretOf(id: string, key: unknown): KeyObject {
  const secret = key instanceof Uint8Array && key.length > 0 ? createSecretKey(key) : key;
  if (secret instanceof KeyObject && secret.type === "secret" && secret.symmetricKeySize === KEY_BYTES)
    return secret;
  throw new ConfigurationError(
    `key "${id}" must have ${KEY_BYTES} bytes, as a Uint8Array or a secret KeyObject of node:crypto`,
  );
}
