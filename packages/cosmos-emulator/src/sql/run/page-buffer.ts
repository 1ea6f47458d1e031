/** Collects the rows of one page up to its limits. */
export class PageBuffer {
  readonly rows: string[] = [];
  readonly #maxItems: number;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxItems: number, maxBytes: number) {
    this.#maxItems = Math.max(1, maxItems);
    this.#maxBytes = maxBytes;
  }

  /** Returns the number of rows that may still come. */
  get space(): number {
    return this.#maxItems - this.rows.length;
  }

  /** Adds the row, or answers false if the page is full. The first row always has room. */
  add(row: string): boolean {
    const bytes = Buffer.byteLength(row);
    const full = this.space === 0 || (this.rows.length > 0 && this.#bytes + bytes > this.#maxBytes);
    if (!full) {
      this.rows.push(row);
      this.#bytes += bytes;
    }
    return !full;
  }
}
