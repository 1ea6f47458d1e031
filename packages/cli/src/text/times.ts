/** Times and numbers for people: local, with the zone in the head of the column. */

/** `10:02:11` on the same day, `11-22 10:02` in the same year, else `2025-11-22`. */
export function shortTime(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const now = new Date(nowMs);
  const [year, month, day] = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())];
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (at.toDateString() === now.toDateString()) return `${clock}:${two(at.getSeconds())}`;
  return year === now.getFullYear() ? `${month}-${day} ${clock}` : `${year}-${month}-${day}`;
}

/** `2026-11-22 10:02:11.031`. */
export function exactTime(atMs: number): string {
  const at = new Date(atMs);
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

/** `+01:00`, or `UTC`. */
export function zoneOf(atMs: number): string {
  const minutes = -new Date(atMs).getTimezoneOffset();
  if (minutes === 0) return "UTC";
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** `40 ms`, `1.2 s`, `4m12s`, `2h05m`, `3d04h`. */
export function span(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1).replace(/\.0$/, "")} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1_440) return `${Math.floor(minutes / 60)}h${two(minutes % 60)}m`;
  const hours = Math.floor(minutes / 60);
  return `${Math.floor(hours / 24)}d${two(hours % 24)}h`;
}

/** `1,204`. */
export function count(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 event`, `1,204 events`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** `6.1 kB`. */
export function bytes(value: number): string {
  if (value < 1_000) return `${value} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let size = value / 1_000;
  let unit = 0;
  while (size >= 1_000 && unit < units.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  return `${size.toFixed(1)} ${units[unit]}`;
}
