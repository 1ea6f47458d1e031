/** Removals that leave nothing in the store that could hold who did it and why are recorded in the log. */
import { type Admin, Client, type LogFields, type Provider, silentLogger } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";

const BY = { by: "ada", reason: "no longer needed" };
const DELETED = { instancesDeleted: 2, executionsDeleted: 3, eventsDeleted: 9, queueMessagesDeleted: 1 };
const PRUNED = { instancesProcessed: 1, executionsDeleted: 3, eventsDeleted: 9 };

interface Store {
  readonly admin: Admin;
  readonly asked: readonly (readonly unknown[])[];
  readonly entries: readonly LogFields[];
}

/** A store that does everything, with what it was asked and what the client logged. */
function openStore({ hasDeadLetter = true } = {}): Store {
  const asked: (readonly unknown[])[] = [];
  const entries: LogFields[] = [];
  const answering =
    (name: string, answer: unknown) =>
    async (...values: unknown[]) => {
      asked.push([name, ...values]);
      return answer;
    };
  const admin = {
    deleteInstance: answering("deleteInstance", DELETED),
    deleteInstances: answering("deleteInstances", DELETED),
    pruneInstances: answering("pruneInstances", PRUNED),
    settleDeadLetter: answering("settleDeadLetter", hasDeadLetter),
  };
  const named = { name: "obliging", version: "1.0.0", enqueueForOrchestrator: async () => {} };
  const provider = { ...named, admin } as unknown as Provider;
  const logger = { ...silentLogger, info: (fields: LogFields) => void entries.push(fields) };
  return { admin: new Client(provider, { logger }).admin, asked, entries };
}

const REMOVALS: readonly (readonly [string, (admin: Admin) => Promise<unknown>, unknown[], LogFields])[] = [
  [
    "a deletion",
    (admin) => admin.delete("i", { force: true, ...BY }),
    ["deleteInstance", "i", { force: true }],
    { event: "instance_deleted", instance_id: "i", instances_deleted: 2, events_deleted: 9 },
  ],
  [
    "a deletion by a filter",
    (admin) => admin.deleteAll({ name: ["n"], limit: 5 }, BY),
    ["deleteInstances", { name: ["n"] }, { limit: 5 }],
    { event: "instances_deleted", filter: { name: ["n"], limit: 5 }, instances_deleted: 2 },
  ],
  [
    "a pruning",
    (admin) => admin.prune("i", { keepLast: 2, ...BY }),
    ["pruneInstances", { instanceIds: ["i"] }, { keepLast: 2 }],
    { event: "instance_pruned", instance_id: "i", executions_deleted: 3 },
  ],
  [
    "a pruning by a filter",
    (admin) => admin.pruneAll({}, { completedBeforeMs: 7, ...BY }),
    ["pruneInstances", {}, { completedBeforeMs: 7 }],
    { event: "instances_pruned", filter: {}, executions_deleted: 3 },
  ],
  [
    "a dead letter that goes back",
    (admin) => admin.requeueDeadLetter("7", BY),
    ["settleDeadLetter", "7", "requeue"],
    { event: "dead_letter_requeued", dead_letter: "7" },
  ],
  [
    "a dead letter that is dropped",
    (admin) => admin.dropDeadLetter("7", BY),
    ["settleDeadLetter", "7", "drop"],
    { event: "dead_letter_dropped", dead_letter: "7" },
  ],
];

describe.each(REMOVALS)("%s", (_, change, call, entry) => {
  it("is logged with who and why, which the store does not get", async () => {
    const { admin, asked, entries } = openStore();
    await change(admin);
    expect(asked).toEqual([call]);
    expect(entries).toEqual([expect.objectContaining({ ...entry, ...BY })]);
  });
});

describe("who and why", () => {
  it.each([
    ["delete", (admin: Admin, record: object) => admin.delete("i", record)],
    ["deleteAll", (admin: Admin, record: object) => admin.deleteAll({}, record)],
    ["prune", (admin: Admin, record: object) => admin.prune("i", record)],
    ["pruneAll", (admin: Admin, record: object) => admin.pruneAll({}, record)],
    ["dropDeadLetter", (admin: Admin, record: object) => admin.dropDeadLetter("7", record)],
  ] as const)("must be texts for %s, and are options by name", async (_, change) => {
    const { admin, asked, entries } = openStore();
    await expect(change(admin, { by: 7 })).rejects.toThrow(/by must be a string/);
    await expect(change(admin, { reason: "" })).rejects.toThrow(/reason must be a string/);
    await expect(change(admin, { reasons: "typo" })).rejects.toThrow(/there is no option "reasons"/);
    expect([asked, entries]).toEqual([[], []]);
  });

  it("are not logged where nothing was changed", async () => {
    const { admin, entries } = openStore({ hasDeadLetter: false });
    expect(await admin.requeueDeadLetter("7", BY)).toBe(false);
    expect(entries).toEqual([]);
  });
});
