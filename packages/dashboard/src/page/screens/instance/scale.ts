/**
 * Maps moments to their places in the waterfall. To scale, or with long gaps shortened: then a stretch without any
 * change takes the fourth root of its time, so that 100 ms of work stay visible beside a day of waiting.
 */
import type { Bar } from "../../shapes/instance.ts";

export interface Scale {
  /** Returns the place of a moment, from 0 to 1. */
  at(ms: number): number;
  /** The moment at a position. */
  moment(position: number): number;
}

/** The power of a gap that gives its width. */
const SHORTENING = 0.3;
/** A part of the whole that makes one gap too long for a picture to scale. */
const TOO_LONG = 0.5;

export function linearScale(startMs: number, endMs: number): Scale {
  const length = Math.max(1, endMs - startMs);
  return {
    at: (ms) => clamp((ms - startMs) / length),
    moment: (position) => startMs + position * length,
  };
}

export function shortenedScale(moments: readonly number[]): Scale {
  const positions = [0];
  for (let n = 1; n < moments.length; n++) {
    const gap = (moments[n] ?? 0) - (moments[n - 1] ?? 0);
    positions.push((positions.at(-1) ?? 0) + Math.max(1, gap) ** SHORTENING);
  }
  const whole = positions.at(-1) || 1;
  return {
    at(ms) {
      const index = indexBefore(moments, ms);
      return clamp(between(ms, moments, positions, index) / whole);
    },
    moment(position) {
      const index = indexBefore(positions, position * whole);
      return between(position * whole, positions, moments, index);
    },
  };
}

/** All moments at which something changes, ascending, with both ends. */
export function momentsOf(bars: readonly Bar[], startMs: number, endMs: number): number[] {
  const moments = new Set([startMs, endMs]);
  const add = (ms: number | undefined): void => {
    if (ms !== undefined && ms > startMs && ms < endMs) moments.add(ms);
  };
  for (const bar of bars) {
    add(bar.startMs);
    add(bar.endMs);
    for (const attempt of bar.attempts) {
      add(attempt.scheduledMs);
      add(attempt.startedMs);
      add(attempt.endMs);
    }
  }
  return [...moments].sort((a, b) => a - b);
}

/** Whether one gap is so long that a picture to scale would show nothing else. */
export function hasLongGap(moments: readonly number[]): boolean {
  const whole = (moments.at(-1) ?? 0) - (moments[0] ?? 0);
  if (moments.length < 4 || whole === 0) return false;
  return moments.some((ms, index) => index > 0 && ms - (moments[index - 1] ?? 0) > whole * TOO_LONG);
}

function indexBefore(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = Math.max(0, sorted.length - 2);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

function between(value: number, from: readonly number[], to: readonly number[], index: number): number {
  const [a, b] = [from[index] ?? 0, from[index + 1] ?? from[index] ?? 0];
  const [c, d] = [to[index] ?? 0, to[index + 1] ?? to[index] ?? 0];
  return b === a ? c : c + ((value - a) / (b - a)) * (d - c);
}

function clamp(value: number): number {
  return Math.max(0, Math.min(1, value));
}
