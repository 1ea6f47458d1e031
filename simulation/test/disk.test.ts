/** Tests what a power failure leaves on the simulated disk. disk.D1 and disk.D2. */
import { describe, expect, it } from "vitest";
import { Disk } from "../sqlite/disk.ts";
import { Chance } from "../world/chance.ts";

const ONES = new Uint8Array(4_096).fill(1);
const TWOS = new Uint8Array(4_096).fill(2);

/** The bytes of a file after a power failure, by seed. */
function afterPowerFailure(seed: number, write: (disk: Disk) => void): Uint8Array {
  const disk = new Disk(new Chance(seed), { losesPower: true });
  write(disk);
  disk.losePower();
  const file = disk.open("/f");
  const bytes = new Uint8Array(file.size);
  file.read(bytes, 0);
  return bytes;
}

const SEEDS = Array.from({ length: 100 }, (_, seed) => seed);

describe("a power failure", () => {
  it("leaves what was synced", () => {
    for (const seed of SEEDS) {
      const bytes = afterPowerFailure(seed, (disk) => {
        disk.open("/f").write(ONES, 0);
        disk.open("/f").sync();
      });
      expect(bytes).toEqual(ONES);
    }
  });

  it("loses, keeps or tears what was not synced, sector by sector", () => {
    const outcomes = new Set<string>();
    for (const seed of SEEDS) {
      const bytes = afterPowerFailure(seed, (disk) => {
        disk.open("/f").write(ONES, 0);
        disk.open("/f").sync();
        disk.open("/f").write(TWOS, 0);
      });
      const changed = bytes.filter((byte) => byte === 2).length;
      expect(changed % 512).toBe(0);
      outcomes.add(changed === 0 ? "lost" : changed === 4_096 ? "kept" : "torn");
    }
    expect(outcomes).toEqual(new Set(["lost", "kept", "torn"]));
  });

  it("may keep a later write and lose an earlier one", () => {
    const isReordered = SEEDS.some((seed) => {
      const bytes = afterPowerFailure(seed, (disk) => {
        disk.open("/f").write(ONES, 0);
        disk.open("/f").write(TWOS, 4_096);
      });
      return bytes[0] === 0 && bytes[4_096] === 2;
    });
    expect(isReordered).toBe(true);
  });
});
