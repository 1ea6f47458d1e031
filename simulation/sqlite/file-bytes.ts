/**
 * The content of a file, in pieces that copies share until one of them writes there: the whole file is copied for every
 * look at it, and most of it has stayed as it was.
 */

const PIECE_BYTES = 16_384;

interface Piece {
  readonly data: Uint8Array;
  /** Another copy has it too: nothing may write to it any more. */
  isShared: boolean;
}

export class FileBytes {
  readonly #pieces: Piece[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Fills the target, with zeros behind the end; returns how many bytes there were. */
  read(target: Uint8Array, offset: number): number {
    const count = Math.max(0, Math.min(target.length, this.#length - offset));
    for (let at = 0; at < count; ) {
      const from = (offset + at) % PIECE_BYTES;
      const length = Math.min(PIECE_BYTES - from, count - at);
      const piece = this.#pieces[Math.floor((offset + at) / PIECE_BYTES)];
      if (piece === undefined) target.fill(0, at, at + length);
      else target.set(piece.data.subarray(from, from + length), at);
      at += length;
    }
    target.fill(0, count);
    return count;
  }

  write(data: Uint8Array, offset: number): void {
    for (let at = 0; at < data.length; ) {
      const from = (offset + at) % PIECE_BYTES;
      const length = Math.min(PIECE_BYTES - from, data.length - at);
      this.#own(Math.floor((offset + at) / PIECE_BYTES)).set(data.subarray(at, at + length), from);
      at += length;
    }
    this.#length = Math.max(this.#length, offset + data.length);
  }

  /** Shortens the file. A later write behind the new end begins among zeros. */
  truncate(size: number): void {
    if (size >= this.#length) return;
    this.#pieces.length = Math.min(this.#pieces.length, Math.ceil(size / PIECE_BYTES));
    const left = size % PIECE_BYTES;
    if (left > 0) this.#own(Math.floor(size / PIECE_BYTES)).fill(0, left);
    this.#length = size;
  }

  copy(): FileBytes {
    const copy = new FileBytes();
    for (const piece of this.#pieces) {
      piece.isShared = true;
      copy.#pieces.push(piece);
    }
    copy.#length = this.#length;
    return copy;
  }

  /** A piece that may be written to. */
  #own(index: number): Uint8Array {
    while (this.#pieces.length < index) {
      this.#pieces.push({ data: new Uint8Array(PIECE_BYTES), isShared: false });
    }
    const piece = this.#pieces[index];
    if (piece?.isShared === false) return piece.data;
    const data = piece === undefined ? new Uint8Array(PIECE_BYTES) : piece.data.slice();
    this.#pieces[index] = { data, isShared: false };
    return data;
  }
}
