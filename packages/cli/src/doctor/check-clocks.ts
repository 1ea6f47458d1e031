/** Processes whose clocks differ from that of this machine: what they lock or delay is hidden for as long. */
import { span } from "../text/times.ts";
import type { Check } from "./finding.ts";

/** Clocks that are set by a service of time differ by less. */
const DIFFERENCE_MS = 60_000;

/** A clock that is behind cannot be told from a process that has ended. */
export const checkClocks: Check = async ({ workers, nowMs }) =>
  workers
    .filter(({ lastSeenAtMs }) => lastSeenAtMs > nowMs + DIFFERENCE_MS)
    .map(({ host, pid, lastSeenAtMs }) => ({
      level: "warn",
      text: `process ${pid} on ${host} reported itself ${span(lastSeenAtMs - nowMs)} in the future: its clock or that of this machine is wrong, and its timers are late by as much`,
      next: ["workers"],
    }));
