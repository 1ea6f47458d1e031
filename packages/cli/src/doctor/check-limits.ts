/** Limits that hold work back for long, and rules that nothing has matched. */
import { readLimitsIfAny } from "../instances/read-limits.ts";
import { count, span } from "../text/times.ts";
import type { Check, Finding } from "./finding.ts";

const LONG_MS = 600_000;
const A_WEEK_MS = 604_800_000;

export const checkLimits: Check = async ({ store: { client }, nowMs }) => {
  const rules = await readLimitsIfAny(client);
  const findings = rules.flatMap(({ key, running, waiting, oldestWaitingMs, changedAtMs }): Finding[] => {
    if (waiting > 0 && running === 0 && oldestWaitingMs > LONG_MS) {
      const text = `${count(waiting)} wait for limit ${JSON.stringify(key)} (the oldest for ${span(oldestWaitingMs)}), and none of it runs: no worker takes its work`;
      return [{ level: "red", text, next: ["limits", "get", key] }];
    }
    if (waiting > 0 && oldestWaitingMs > LONG_MS) {
      const text = `limit ${JSON.stringify(key)} starves its work: ${count(waiting)} wait, the oldest for ${span(oldestWaitingMs)}`;
      return [{ level: "warn", text, next: ["limits", "get", key] }];
    }
    if (waiting === 0 && running === 0 && nowMs - changedAtMs > A_WEEK_MS) {
      const text = `nothing runs or waits under limit ${JSON.stringify(key)}: does a key in the code match it?`;
      return [{ level: "ok", text }];
    }
    return [];
  });
  if (rules.length === 0) return [];
  return findings.length > 0 ? findings : [{ level: "ok", text: "no limit holds work back for long" }];
};
