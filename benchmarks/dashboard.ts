/**
 * The dashboard on a SQLite file with a million instances: the time from a request of the page to the last byte of its
 * answer, at the server. Requests come one by one over a connection of 127.0.0.1. `processor_ms` is the processor time of
 * the process, client included; other load on the machine does not change it.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { loadavg } from "node:os";
import { silentLogger, systemClock } from "@duroxide-ts/core";
import { dashboard, toNodeHandler } from "@duroxide-ts/dashboard";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { withFile } from "./database.ts";
import { percentile, round } from "./figures.ts";
import {
  BEGINNING_MS,
  fillWithInstances,
  INSTANCES,
  LONG_INSTANCE,
  START_GAP_MS,
} from "./million-instances.ts";

/** Some minutes after the last start, so that the last hour is full. */
const NOW_MS = BEGINNING_MS + INSTANCES * START_GAP_MS + 600_000;

const ROUTES: Readonly<Record<string, string>> = {
  overview: "overview",
  "list: all": "instances",
  "list: by update": "instances?order=updated-desc",
  "list: oldest first": "instances?order=created-asc",
  "list: running": "instances?state=running",
  "list: failed": "instances?state=failed",
  "list: cancelled": "instances?state=cancelled",
  "list: blocked": "instances?state=blocked",
  "list: suspended": "instances?state=suspended",
  "list: a name": "instances?name=orchestration-07",
  "list: a name, failed": "instances?name=orchestration-12&state=failed",
  "list: a name, by update": "instances?name=orchestration-07&order=updated-desc",
  "list: an old version, running": "instances?version=1.0.0&state=running",
  "list: failed, last hour": "instances?state=failed&updated=1h",
  "list: changed in the last hour": "instances?updated=1h&order=updated-desc",
  "list: started 8 to 9 hours ago": "instances?since=9h&older=8h",
  "list: a prefix of 100,000": "instances?prefix=order-007",
  "list: a prefix of none": "instances?prefix=zebra",
  "list: roots": "instances?roots=1",
  "list: children of one": "instances?parent=order-00500002",
  "list: a category": "instances?category=application",
  "list: a text of an error": "instances?error=00999914",
  "list: a text of no error": "instances?error=nowhere",
  "list: a name that is not there": "instances?name=orchestration-99",
  "list: 200 rows": "instances?limit=200",
  "count: all": "count",
  "count: running": "count?state=running",
  "count: failed, last hour": "count?state=failed&updated=1h",
  "count: roots": "count?roots=1",
  "open: head": "instance?id=order-00500010",
  "open: timeline": "timeline?id=order-00500010",
  "open: call": "call?id=order-00500010",
  "open: history": "history?id=order-00500010",
  "open: state": "state?id=order-00500010",
  "open: children": "children?id=order-00500002",
  "open 10,000 events: head": `instance?id=${LONG_INSTANCE}`,
  "open 10,000 events: timeline": `timeline?id=${LONG_INSTANCE}`,
  "open 10,000 events: call": `call?id=${LONG_INSTANCE}&step=9000`,
  "open 10,000 events: history": `history?id=${LONG_INSTANCE}&from=9001`,
  "open 10,000 events: state": `state?id=${LONG_INSTANCE}`,
  work: "work",
  "work: overdue": "work?overdue=60000",
  "work: of one": "work?instance=order-00500000",
  "dead letters": "dead-letters",
  workers: "workers",
};

/** Requests of each route; the first one is named by itself, because the pages of the file are not in memory yet. */
const ROUNDS = 15;

export async function measureDashboard(): Promise<readonly object[]> {
  return withFile(async (path) => {
    await fillWithInstances(path);
    return await measureFile(path);
  });
}

async function measureFile(path: string): Promise<readonly object[]> {
  await using provider = await SqliteProvider.open(path);
  const handler = dashboard({
    provider,
    clock: { ...systemClock, now: () => NOW_MS },
    logger: silentLogger,
    authorize: () => ({ user: "bench", role: "viewer" }),
  });
  const server = createServer(toNodeHandler(handler));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`;
  try {
    const lines: object[] = [];
    for (const [workload, route] of Object.entries(ROUTES))
      lines.push(await measureRoute(workload, `${address}${route}`));
    return lines;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function measureRoute(workload: string, url: string): Promise<object> {
  const times: number[] = [];
  const processorTimes: number[] = [];
  let bytes = 0;
  while (times.length < ROUNDS) {
    const used = process.cpuUsage();
    const beganMs = performance.now();
    const response = await fetch(url);
    bytes = (await response.arrayBuffer()).byteLength;
    times.push(performance.now() - beganMs);
    const { user, system } = process.cpuUsage(used);
    processorTimes.push((user + system) / 1_000);
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  }
  return {
    workload,
    n: ROUNDS,
    first_ms: round(times[0] ?? 0),
    median_ms: round(percentile(times, 50)),
    max_ms: round(Math.max(...times)),
    processor_ms: round(percentile(processorTimes, 50)),
    bytes,
    load: round(loadavg()[0] ?? 0),
  };
}
