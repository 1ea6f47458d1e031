/** A random pause after a conflict with another process, so that the retries do not conflict again. */
import { sleep } from "@duroxide-ts/core";
import type { Pace } from "../service/persist.ts";

const LONGEST_MS = 50;

export function stepAside({ clock, random }: Pace): Promise<void> {
  return sleep(clock, Math.ceil(random.next() * LONGEST_MS));
}
