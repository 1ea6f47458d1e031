/** Short keys for sets of names: fetches with equal sets share candidates and are one group (membership/members.ts). */
import { createHash } from "node:crypto";

const DIGITS = 16;

export class NameSets {
  /** A runtime gives the same set with every fetch. */
  readonly #digests = new WeakMap<ReadonlySet<string>, string>();

  /** Equal for equal sets. */
  digestOf(names: ReadonlySet<string>): string {
    const known = this.#digests.get(names);
    if (known !== undefined) return known;
    const text = JSON.stringify([...names].sort());
    const digest = createHash("sha256").update(text).digest("hex").slice(0, DIGITS);
    this.#digests.set(names, digest);
    return digest;
  }
}
