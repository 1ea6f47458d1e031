/** The content of a file of the simulated disk is that of one array of bytes, whatever is shared between copies. */
import { expect, it } from "vitest";
import { FileBytes } from "../sqlite/file-bytes.ts";
import { Chance } from "../world/chance.ts";

/** Several pieces. */
const MOST = 60_000;

class Model {
  readonly bytes: FileBytes;
  readonly expected: Uint8Array;
  length: number;

  constructor(bytes = new FileBytes(), expected = new Uint8Array(MOST), length = 0) {
    this.bytes = bytes;
    this.expected = expected;
    this.length = length;
  }

  write(data: Uint8Array, offset: number): void {
    this.bytes.write(data, offset);
    this.expected.set(data, offset);
    this.length = Math.max(this.length, offset + data.length);
  }

  truncate(size: number): void {
    this.bytes.truncate(size);
    this.length = Math.min(this.length, size);
    this.expected.fill(0, this.length);
  }

  copy(): Model {
    return new Model(this.bytes.copy(), this.expected.slice(), this.length);
  }

  check(): void {
    const read = new Uint8Array(MOST).fill(9);
    expect(this.bytes.length).toBe(this.length);
    expect(this.bytes.read(read, 0)).toBe(this.length);
    expect(Buffer.compare(read, this.expected)).toBe(0);
  }
}

it("reads what was written to it, and nothing of what was written to a copy", () => {
  for (let seed = 0; seed < 20; seed++) {
    const chance = new Chance(seed);
    const models = [new Model()];
    for (let step = 0; step < 30; step++) {
      const model = models[chance.below(models.length)] ?? new Model();
      const kind = chance.below(5);
      const offset = chance.below(MOST);
      if (kind === 0) model.truncate(offset);
      else if (kind === 1) models.push(model.copy());
      else model.write(new Uint8Array(chance.below(MOST - offset)).fill(1 + chance.below(8)), offset);
      for (const each of models) each.check();
    }
  }
});

it("reads zeros where nothing was written", () => {
  const bytes = new FileBytes();
  bytes.write(new Uint8Array([1, 2]), 40_000);
  const read = new Uint8Array(4).fill(9);
  expect(bytes.read(read, 39_999)).toBe(3);
  expect([...read]).toEqual([0, 1, 2, 0]);
});
