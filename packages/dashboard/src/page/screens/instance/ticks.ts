/** The marks of the time axis. */
import { duration } from "../../browser/format.ts";
import type { Scale } from "./scale.ts";

export interface Tick {
  readonly at: number;
  readonly label: string;
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
  172_800_000, 604_800_000, 1_209_600_000, 2_592_000_000,
];

/** Round times after the start. */
export function linearTicks(scale: Scale, startMs: number, endMs: number): Tick[] {
  const length = endMs - startMs;
  const step = STEPS_MS.find((one) => length / one <= 6) ?? length / 5;
  const ticks: Tick[] = [];
  for (let ms = 0; ms <= length * 0.97 && ticks.length < 12; ms += step) {
    ticks.push({ at: scale.at(startMs + ms), label: ms === 0 ? "0" : tickText(ms) });
  }
  return ticks;
}

/** Even distances on the screen, each with its time: the scale is uneven. */
export function evenTicks(scale: Scale, startMs: number): Tick[] {
  return [0, 0.2, 0.4, 0.6, 0.8].map((at) => {
    const ms = scale.moment(at) - startMs;
    return { at, label: at === 0 ? "0" : duration(ms) };
  });
}

/** 2 s and not 2.0 s. */
function tickText(ms: number): string {
  return duration(ms).replace(/\.0 s$/, " s");
}
