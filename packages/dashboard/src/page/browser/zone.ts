/** The zone of all times on the page: that of the browser or UTC. */
export type Zone = "local" | "utc";

let zone: Zone = "local";

export function currentZone(): Zone {
  return zone;
}

export function setZone(next: Zone): void {
  zone = next;
}

/** Gives the name of the zone, such as "America/New_York". */
export function zoneName(): string {
  return zone === "utc" ? "UTC" : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
