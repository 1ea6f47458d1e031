/** Whoever met somebody else lets a moment pass, so that they do not meet again. */
import { sleep } from "@duroxide-ts/core";
import type { Pace } from "../service/persist.ts";

const LONGEST_MS = 50;

export function stepAside({ clock, random }: Pace): Promise<void> {
  return sleep(clock, Math.ceil(random.next() * LONGEST_MS));
}
