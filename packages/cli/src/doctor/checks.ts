/** The checks of `doctor`. Each reads a bounded number of rows, and changes nothing. */
import { statSync } from "node:fs";
import type { Admin, QueuedWork, Worker } from "@duroxide-ts/core";
import { readDeadLetters } from "../instances/read-dead-letters.ts";
import { readWork } from "../instances/read-work.ts";
import type { OpenStore } from "../store/open-store.ts";
import { bytes, count, span } from "../text/times.ts";
import type { Finding } from "./finding.ts";

export interface Examined {
  readonly store: OpenStore;
  readonly workers: readonly Worker[];
  readonly nowMs: number;
}

export type Check = (examined: Examined) => Promise<readonly Finding[]>;

const MOST_BLOCKED = 20;
const MOST_ROWS = 1_000;
const MOST_INSTANCES = 100;
const OVERDUE_MS = 60_000;
const MANY_FETCHES = 3;
const MANY_EVENTS = 5_000;
const LARGE_INSTANCE_BYTES = 10_000_000_000;
const LARGE_LOG_BYTES = 64_000_000;

const checkBlocked: Check = async ({ store: { client } }) => {
  const findings: Finding[] = [];
  for await (const { instanceId, activity, reason, detail } of client.admin.blocked()) {
    const what =
      activity === undefined ? instanceId : `${instanceId}, activity ${activity.name}#${activity.activityId}`;
    findings.push({
      level: "red",
      text: `${what} is blocked (${reason}): ${detail}`,
      next: ["show", instanceId],
    });
    if (findings.length >= MOST_BLOCKED) break;
  }
  return findings.length > 0 ? findings : [{ level: "ok", text: "nothing is blocked" }];
};

const checkOverdue: Check = async ({ store: { client }, nowMs }) => {
  const overdue = await readWork(client.admin, { overdueByMs: OVERDUE_MS }, MOST_ROWS);
  const byPlace = new Map<string, QueuedWork[]>();
  for (const row of overdue) {
    const place =
      row.kind === "orchestrator"
        ? "messages"
        : `activities${row.tag === undefined ? "" : ` with tag ${row.tag}`}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), row]);
  }
  if (byPlace.size === 0) return [{ level: "ok", text: "no row is overdue" }];
  return [...byPlace].map(([place, rows]) => {
    const oldestMs = nowMs - Math.min(...rows.map(({ visibleAtMs }) => visibleAtMs));
    const number = overdue.length >= MOST_ROWS ? `${count(rows.length)} or more` : count(rows.length);
    return {
      level: "red" as const,
      text: `${number} ${place} could have been taken for more than 60 s (the oldest for ${span(oldestMs)})`,
      next: ["queues", "--rows", "--overdue", "1m"],
    };
  });
};

const checkFetches: Check = async ({ store: { client } }) => {
  const rows = await readWork(client.admin, {}, MOST_ROWS);
  return rows
    .filter(({ attempts }) => attempts > MANY_FETCHES)
    .slice(0, MOST_BLOCKED)
    .map(({ instanceId, item, name = "", attempts }) => ({
      level: "warn" as const,
      text: `${item} ${name} of ${instanceId} was fetched ${attempts} times`,
      next: ["show", instanceId],
    }));
};

/** Only where workers report themselves: Rust workers do not. */
const checkHandlers: Check = async ({ store: { client }, workers }) => {
  const running = await client.admin.count({ status: ["Running"] }, ["name", "version"]);
  const instances = running.reduce((sum, { count: number }) => sum + number, 0);
  if (workers.length === 0) {
    const text = "no worker has reported itself within two minutes";
    return [
      instances === 0
        ? { level: "ok", text }
        : { level: "warn", text: `${text}, and ${count(instances)} instances run`, next: ["workers"] },
    ];
  }
  const known = new Set(
    workers.flatMap(({ orchestrations }) => orchestrations.map(({ name, version }) => `${name}@${version}`)),
  );
  const missing = running.filter(
    ({ key: [name, version] }) => version !== "unknown" && !known.has(`${name}@${version}`),
  );
  const found = missing.map(({ key: [name = "", version = ""], count: number }) => ({
    level: "red" as const,
    text: `${count(number)} instances of ${name} ${version} run, and no worker has it`,
    next: ["list", "--name", name, "--version", version, "--status", "running,blocked"],
  }));
  return found.length > 0 ? found : [{ level: "ok", text: `${workers.length} workers have all that runs` }];
};

const checkDeadLetters: Check = async ({ store: { client } }) => {
  const letters = await readDeadLetters(client.admin, MOST_ROWS);
  if (letters.length === 0) return [{ level: "ok", text: "no dead letters" }];
  return [{ level: "warn", text: `${count(letters.length)} dead letters`, next: ["dead-letters", "list"] }];
};

const checkSizes: Check = async ({ store: { client, provider } }) => {
  const filter = { status: ["Running"] } as const;
  const { instances } = await client.admin.query({ filter, order: "updated-desc", limit: MOST_INSTANCES });
  const findings: Finding[] = [];
  for (const { instanceId } of instances) {
    const stats = await provider.getInstanceStats(instanceId);
    if (stats === undefined) continue;
    if (stats.historyEventCount > MANY_EVENTS) {
      findings.push({
        level: "warn",
        text: `${instanceId}: ${count(stats.historyEventCount)} events; continue as new`,
        next: ["show", instanceId],
      });
    }
    if (stats.historySizeBytes > LARGE_INSTANCE_BYTES) {
      findings.push({
        level: "red",
        text: `${instanceId} takes ${bytes(stats.historySizeBytes)}`,
        next: ["show", instanceId],
      });
    }
  }
  return findings.length > 0
    ? findings
    : [{ level: "ok", text: `no long histories among the last ${instances.length} instances that run` }];
};

const checkLog: Check = async ({ store: { file } }) => {
  if (file === undefined) return [];
  const size = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size < LARGE_LOG_BYTES) return [{ level: "ok", text: `the log of the file has ${bytes(size)}` }];
  return [
    {
      level: "warn",
      text: `the log of the file has ${bytes(size)}: a program reads it in one long transaction`,
    },
  ];
};

export const CHECKS: readonly Check[] = [
  checkBlocked,
  checkHandlers,
  checkOverdue,
  checkFetches,
  checkDeadLetters,
  checkSizes,
  checkLog,
];

/** A read of one row: how long the store takes. */
export async function checkReach(admin: Admin, now: () => number): Promise<Finding> {
  const sinceMs = now();
  await admin.query({ limit: 1 });
  return { level: "ok", text: `the store answers within ${span(now() - sinceMs)}` };
}
