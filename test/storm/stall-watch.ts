/**
 * A thread beside the one that serves. Where its own timer is late, the whole process stood still: it was frozen, or the
 * machine gave it no time. A blocked event loop does not show here.
 */
import { workerData } from "node:worker_threads";
import { SideLog } from "./side-log.ts";

const EVERY_MS = 100;
const STALL_MS = 1_000;

const { folder, process } = workerData as { readonly folder: string; readonly process: string };
const log = new SideLog(folder, process);
let lastMs = Date.now();
setInterval(() => {
  const nowMs = Date.now();
  if (nowMs - lastMs > STALL_MS) log.note({ kind: "stall", ms: nowMs - lastMs }, lastMs);
  lastMs = nowMs;
}, EVERY_MS);
