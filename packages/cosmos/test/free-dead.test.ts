/** The locks of a process of this machine that has ended are free for the next one (src/admin/free-dead.ts). */

import type { FetchedWork, ProcessIdentity, WorkerReport } from "@duroxide-ts/core/stores";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import {
  activity,
  createInstance,
  fetchOrchestration,
  fetchWork,
  raised,
} from "@duroxide-ts/provider-tests/building-blocks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectSoon } from "../../../test/support/expect-soon.ts";
import { DEAD, NEXT, SomeProcesses } from "../../../test/support/some-processes.ts";
import { startEndpoint, type TestEndpoint } from "./support/endpoint.ts";

const REPORT: WorkerReport = {
  host: "h",
  pid: 1,
  startedAtMs: 1,
  packageVersion: "1",
  orchestrations: [],
  activities: [],
  turns: { busy: 0, all: 1 },
  activitySlots: { busy: 0, all: 1 },
};

interface Process extends AsyncDisposable {
  readonly provider: CosmosProvider;
  readonly lockMs: number;
  readonly requests: readonly string[];
}

let endpoint: TestEndpoint;
let processes: SomeProcesses;
const opened: Process[] = [];

beforeEach(async () => {
  endpoint = await startEndpoint();
  processes = new SomeProcesses();
});

afterEach(async () => {
  for (const each of opened.splice(0)) await each.provider.close();
  await endpoint[Symbol.asyncDispose]();
});

/** A process that says which one it is, and looks for dead ones. */
async function begin(
  identity: ProcessIdentity,
  reports = true,
  beforePatch: () => Promise<unknown> = async () => {},
): Promise<Process> {
  const { send, connectionString } = endpoint;
  const requests: string[] = [];
  const provider = await CosmosProvider.connectThrough(
    {
      connectionString,
      membership: false,
      processes: processes.seenBy(identity),
      onRequest: ({ operation, kind }) => requests.push(`${operation} ${kind}`),
    },
    async (request, next) => {
      if (String(request.body).includes('"Patch"')) await beforePatch();
      return (send ?? next)(request);
    },
  );
  const process = { provider, lockMs: 600_000, requests, [Symbol.asyncDispose]: () => provider.close() };
  opened.push(process);
  if (reports) await provider.admin.reportWorker(`worker-${identity.began}`, REPORT);
  return process;
}

const ofSession = (ownerId: string) => ({ session: { ownerId, lockTimeoutMs: 600_000 } });

describe("the locks of a process that has ended", () => {
  it("are free for the next one, and count as attempts: a turn, an activity, a session", async () => {
    const first = await begin(DEAD);
    await createInstance(first, "i", { workerItems: [activity("i", 2)] });
    await first.provider.enqueueForWorker(activity("i", 3, { session_id: "s" }));
    await fetchWork(first);
    await fetchWork(first, ofSession("a"));
    await first.provider.enqueueForOrchestrator(raised("i", "e"));
    await fetchOrchestration(first);
    processes.end(DEAD);
    const next = await begin(NEXT);

    const taken: (FetchedWork | undefined)[] = [];
    await expectSoon(async () => taken.push(await fetchWork(next)) > 0 && taken.at(-1)).toMatchObject({
      attemptCount: 2,
      item: { id: 2 },
    });
    await expectSoon(() => fetchOrchestration(next)).toMatchObject({ attemptCount: 2 });
    await expectSoon(() => fetchWork(next, ofSession("b"))).toMatchObject({
      attemptCount: 2,
      item: { id: 3 },
    });
    await expectSoon(async () =>
      (await next.provider.admin.listWorkers()).map(({ pid }) => pid),
    ).toHaveLength(1);
  });

  it("are free for a process with the same id that began later", async () => {
    const first = await begin(DEAD);
    await createInstance(first, "i", { workerItems: [activity("i", 2)] });
    await fetchWork(first);
    processes.end(DEAD);
    const next = await begin({ ...DEAD, began: "300" });

    await expectSoon(() => fetchWork(next)).toMatchObject({ attemptCount: 2 });
  });

  it("free-dead.FD2: are free also where a late renewal of that process comes in between", async () => {
    const first = await begin(DEAD);
    await createInstance(first, "i", { workerItems: [activity("i", 2)] });
    const work = await fetchWork(first);
    processes.end(DEAD);
    let late = 0;
    const renew = async (): Promise<void> => {
      if (late++ === 0) await first.provider.renewWorkItemLock(work?.lockToken ?? "", 900_000);
    };
    const next = await begin(NEXT, true, renew);

    await expectSoon(() => fetchWork(next)).toMatchObject({ attemptCount: 2 });
    expect(late).toBe(2);
  });

  it("give the permits of a limit back", async () => {
    const first = await begin(DEAD);
    await first.provider.limits.setLimit("k", { rule: { concurrency: 1 }, perMs: 0 });
    const items = [2, 3].map((id) => activity("limited", id, { limit: "k" }));
    await createInstance(first, "limited", { workerItems: items });
    await expectSoon(() => fetchWork(first, { pollTimeoutMs: 1_000 })).toMatchObject({ attemptCount: 1 });
    processes.end(DEAD);
    const next = await begin(NEXT);

    await expectSoon(() => fetchWork(next, { pollTimeoutMs: 1_000 })).toBeDefined();
  });
});

describe("the locks of others last", () => {
  it("while the process lives, and where it belongs to another machine", async () => {
    const elsewhere = { ...DEAD, space: "other boot" };
    for (const identity of [{ ...DEAD, pid: 7 }, elsewhere]) {
      const first = await begin(identity);
      await createInstance(first, `i-${identity.space}`, { workerItems: [activity("i", 2)] });
      await fetchWork(first);
    }
    processes.end(elsewhere);
    const next = await begin(NEXT);
    await expectSoon(() => next.requests.includes("freeDead query")).toBe(true);

    expect(await fetchWork(next)).toBeUndefined();
    expect(next.requests.filter((request) => request.startsWith("freeDead"))).toEqual(["freeDead query"]);
  });
});

describe("the look for dead processes", () => {
  it("is one query of a process, and none of one that does not report itself", async () => {
    const next = await begin(NEXT);
    await next.provider.admin.reportWorker("worker-2", REPORT);
    await expectSoon(() => next.requests.filter((request) => request.startsWith("freeDead"))).toEqual([
      "freeDead query",
    ]);
    const client = await begin(DEAD, false);
    await createInstance(client, "i");

    expect(client.requests.filter((request) => request.startsWith("freeDead"))).toEqual([]);
  });
});
