/** The entries that readers at one place of a stream get of one read of the store. */
import type { StreamPage } from "../../contract/streams.ts";
import type { NamingCodec } from "../../payload/limited-codec.ts";
import { entriesOf, type PageEntry, type Place } from "./page-entries.ts";

export class Portion {
  readonly page: StreamPage;
  readonly entries: readonly PageEntry[];
  /** The place behind it. */
  readonly next: Place;
  readonly #values: unknown[] = [];
  #codec: NamingCodec | undefined;

  /** `joined` returns the place that other readers have, if it is the same. */
  constructor(place: Place, page: StreamPage, joined: (place: Place) => Place) {
    const { entries, next } = entriesOf(place, page);
    this.page = page;
    this.entries = entries;
    this.next = joined(next);
  }

  /** A copy for one reader, which may change it; a value that nobody can change is decoded once for all. */
  item(index: number, codec: NamingCodec): object {
    const entry = this.entries[index] as PageEntry;
    if (typeof entry.value !== "string") return { ...entry };
    return { ...entry, value: this.#valueOf(index, entry.value, codec) };
  }

  #valueOf(index: number, text: string, codec: NamingCodec): unknown {
    if (this.#codec === codec && index in this.#values) return this.#values[index];
    const value = codec.decode(text);
    if (typeof value === "object" && value !== null) return value;
    if (this.#codec !== codec) this.#values.length = 0;
    this.#codec = codec;
    this.#values[index] = value;
    return value;
  }
}
