/**
 * Signatures with the account's key (docs/reference/cosmos-protocol.md §1.3). They are computed for every request:
 * a client that signs wrongly must fail here and not first in Azure.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Address } from "../requests/address.ts";
import { forbidden, unauthorized } from "../requests/refusals.ts";

const MAX_SKEW_MS = 15 * 60_000;

export class MasterKey {
  readonly #key: KeyObject;

  /** Takes a key in base64, as accounts show it. */
  constructor(key: string) {
    this.#key = createSecretKey(Buffer.from(key, "base64"));
  }

  /** Signs the five lines, and returns the signature in base64. */
  sign(method: string, signedType: string, link: string, date: string): string {
    return this.#digest(payload(method, signedType, link, date)).toString("base64");
  }

  /** Throws 401 for a wrong signature or no date, 403 for a date too far from `nowMs`. */
  verify(signature: string, method: string, address: Address, date: string | undefined, nowMs: number): void {
    if (date === undefined || Number.isNaN(Date.parse(date))) {
      throw unauthorized(
        "A signed request needs its time in the header x-ms-date, in RFC 1123 form: it is part of what is signed.",
      );
    }
    const given = Buffer.from(signature, "base64");
    const matches = linksThatMayBeSigned(address).some((link) => {
      const expected = this.#digest(payload(method, address.signedType, link, date));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (!matches) throw wrongSignature(payload(method, address.signedType, address.signedLink, date));
    if (Math.abs(Date.parse(date) - nowMs) > MAX_SKEW_MS) throw staleDate(date, nowMs);
  }

  #digest(text: string): Buffer {
    return createHmac("sha256", this.#key).update(text, "utf8").digest();
  }
}

function payload(method: string, signedType: string, link: string, date: string): string {
  return `${method.toLowerCase()}\n${signedType}\n${link}\n${date.toLowerCase()}\n\n`;
}

/**
 * Lists the links that may be signed. Older clients sign a path made of resource ids by its last id alone, in lower
 * case.
 */
function linksThatMayBeSigned(address: Address): readonly string[] {
  const last = address.signedLink.split("/").at(-1) ?? "";
  const isResourceId = /^[A-Za-z0-9+/-]+={1,2}$/.test(last);
  return isResourceId ? [address.signedLink, last.toLowerCase()] : [address.signedLink];
}

function wrongSignature(expected: string): Error {
  return unauthorized(
    "The authorization token cannot serve the request: the key is wrong, or something else was signed than the " +
      `protocol says. This endpoint signed the following text: ${JSON.stringify(expected)}`,
  );
}

function staleDate(date: string, nowMs: number): Error {
  return forbidden(
    "The authorization token is not valid at the current time: its date may differ by 15 minutes at most " +
      `(token: ${date}, server: ${new Date(nowMs).toUTCString()}). Check the clocks.`,
  );
}
