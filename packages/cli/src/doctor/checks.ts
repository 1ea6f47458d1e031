/**
 * The checks of `doctor`. Each reads a bounded number of rows, but for that of handlers, which counts all instances that
 * run: one without a worker may be any of them. They change nothing.
 */
import { statfsSync, statSync } from "node:fs";
import path from "node:path";
import type { QueuedWork } from "@duroxide-ts/core";
import type { AnyAdmin } from "@duroxide-ts/core/client";
import { inState, OPEN_STATES } from "@duroxide-ts/core/operate";
import { readDeadLetters } from "../instances/read-dead-letters.ts";
import { readWork } from "../instances/read-work.ts";
import { bytes, count, counted, span } from "../text/times.ts";
import { checkClocks } from "./check-clocks.ts";
import { checkLimits } from "./check-limits.ts";
import { checkSchedules } from "./check-schedules.ts";
import { checkSizes } from "./check-sizes.ts";
import type { Check, Finding } from "./finding.ts";

const MOST_BLOCKED = 20;
const MOST_ROWS = 1_000;
const OVERDUE_MS = 60_000;
const MANY_FETCHES = 3;
const LARGE_LOG_BYTES = 64_000_000;
/** A large log and a compaction need so much. */
const LITTLE_ROOM_BYTES = 128_000_000;
/** The log grows to as much before it is used again. */
const NO_ROOM_BYTES = 4_000_000;

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
      row.kind === "orchestrator" ? "" : row.tag === undefined ? "activity" : `activity ${row.tag}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), row]);
  }
  if (byPlace.size === 0) return [{ level: "ok", text: "no row is overdue" }];
  return [...byPlace.values()].map((rows) => {
    const oldestMs = nowMs - Math.min(...rows.map(({ visibleAtMs }) => visibleAtMs));
    const number = overdue.length >= MOST_ROWS ? `${count(rows.length)} or more` : count(rows.length);
    const [{ kind, tag } = { kind: "orchestrator", tag: undefined }] = rows;
    const noun = kind === "orchestrator" ? ["message", "messages"] : ["activity", "activities"];
    const what = `${number} ${noun[number === "1" ? 0 : 1]}${tag === undefined ? "" : ` with tag ${tag}`}`;
    return {
      level: "red" as const,
      text: `${what} could have been taken for more than 60 s (the oldest for ${span(oldestMs)})`,
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
  const filter = { status: ["Running", "Scheduled", "Waiting"] } as const;
  const { counts: running } = await client.admin.count(filter, ["name", "version"]);
  const instances = running.reduce((sum, { count: number }) => sum + number, 0);
  if (workers.length === 0) {
    const text = "no worker has reported itself within two minutes";
    return [
      instances === 0
        ? { level: "ok", text }
        : {
            level: "warn",
            text: `${text}, and ${instances === 1 ? "1 instance runs" : `${count(instances)} instances run`}`,
            next: ["workers"],
          },
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
    text: `${number === 1 ? `1 instance of ${name} ${version} runs` : `${count(number)} instances of ${name} ${version} run`}, and no worker has it`,
    next: ["list", "--name", name, "--version", version, "--status", OPEN_STATES.join()],
  }));
  return found.length > 0
    ? found
    : [
        {
          level: "ok",
          text:
            workers.length === 1
              ? "1 worker has all that runs"
              : `${workers.length} workers have all that runs`,
        },
      ];
};

const checkDeadLetters: Check = async ({ store: { client } }) => {
  const letters = await readDeadLetters(client.admin, MOST_ROWS);
  if (letters.length === 0) return [{ level: "ok", text: "no dead letters" }];
  return [{ level: "warn", text: counted(letters.length, "dead letter"), next: ["dead-letters", "list"] }];
};

const checkLog: Check = async ({ store: { file } }) => {
  if (file === undefined) return [];
  const size = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size < LARGE_LOG_BYTES) return [{ level: "ok", text: `the log of the file has ${bytes(size)}` }];
  return [
    {
      level: "warn",
      text: [
        `the log of the file has ${bytes(size)}: a program reads it in one long transaction`,
        `lsof ${file}`,
        `sqlite3 ${file} "PRAGMA wal_checkpoint(TRUNCATE)"`,
      ].join("\n"),
    },
  ];
};

const checkDisk: Check = async ({ store: { file } }) => {
  if (file === undefined) return [];
  const { bavail, bsize } = statfsSync(path.dirname(file));
  const free = bavail * bsize;
  const level = free < NO_ROOM_BYTES ? "red" : free < LITTLE_ROOM_BYTES ? "warn" : "ok";
  return [{ level, text: `the disk of the file has ${bytes(free)} free` }];
};

/** Instances that look ended, and whose clean-up has left something. */
const checkCleanUps: Check = async ({ store: { client } }) => {
  const [found] = (await client.admin.count(inState({}, "clean-up-failed"))).counts;
  if (found === undefined || found.count === 0) return [];
  const what = found.count === 1 ? "1 instance was" : `${count(found.count)} instances were`;
  return [
    {
      level: "red",
      text: `${what} cancelled, clean-up failed: what it was to undo is left; retry runs it again`,
      next: ["list", "--status", "clean-up-failed"],
    },
  ];
};

export const CHECKS: readonly Check[] = [
  checkBlocked,
  checkCleanUps,
  checkHandlers,
  checkSchedules,
  checkClocks,
  checkOverdue,
  checkFetches,
  checkLimits,
  checkDeadLetters,
  checkSizes,
  checkLog,
  checkDisk,
];

/** A read of one row: how long the store takes. */
export async function checkReach(admin: AnyAdmin, now: () => number): Promise<Finding> {
  const sinceMs = now();
  await admin.query({ limit: 1 });
  return { level: "ok", text: `the store answers within ${span(now() - sinceMs)}` };
}
