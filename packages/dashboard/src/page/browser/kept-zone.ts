/** The chosen zone, kept in this browser. */
import { currentZone, setZone } from "./zone.ts";

const KEY = "duroxide-zone";

export function applyZone(): void {
  try {
    if (window.localStorage.getItem(KEY) === "utc") setZone("utc");
  } catch {
    // A browser that keeps nothing.
  }
}

export function toggleZone(): void {
  setZone(currentZone() === "local" ? "utc" : "local");
  try {
    window.localStorage.setItem(KEY, currentZone());
  } catch {
    // The choice holds until the page is left.
  }
}
