/** The client refuses what is no filter before the store sees it, whatever that store would make of it. */
import { Client, type Provider } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";

/** A store that takes everything, and says what it was asked. */
function obligingProvider(): { readonly provider: Provider; readonly asked: string[] } {
  const asked: string[] = [];
  const admin = new Proxy(
    {},
    {
      get: (_, name) => async () => {
        asked.push(String(name));
        return { instances: [], instancesProcessed: 1 };
      },
    },
  );
  const provider = { name: "obliging", version: "1.0.0", admin, enqueueForOrchestrator: async () => {} };
  return { provider: provider as unknown as Provider, asked };
}

describe("a client's admin", () => {
  it("refuses a misspelt condition, which would be no condition", async () => {
    const { provider, asked } = obligingProvider();
    const { admin } = new Client(provider);
    const misspelt = { instanceId: ["i"], completedBefore: 5 } as object;
    await expect(admin.deleteAll(misspelt)).rejects.toThrow(
      /there is no option "instanceId"; did you mean "instanceIds"\?/,
    );
    await expect(admin.pruneAll({}, { completedBefore: 5 } as object)).rejects.toThrow(
      /"completedBeforeMs"\?/,
    );
    await expect(admin.delete("i", { forced: true } as object)).rejects.toThrow(/did you mean "force"\?/);
    await expect(admin.instances({ limit: 5 } as object).next()).rejects.toThrow(/status, pageSize/);
    expect(asked).toEqual([]);
  });

  it.each([
    ["NaN", Number.NaN],
    ["an invalid Date", new Date("typo")],
    ["a Date", new Date(0)],
    ["a text", "2026-01-01"],
    ["infinity", Number.POSITIVE_INFINITY],
  ])("refuses %s as a time of completion", async (_, value) => {
    const { provider, asked } = obligingProvider();
    const { admin } = new Client(provider);
    const completedBeforeMs = value as number;
    for (const call of [
      admin.prune("i", { completedBeforeMs }),
      admin.pruneAll({}, { completedBeforeMs }),
      admin.pruneAll({ completedBeforeMs }, {}),
      admin.deleteAll({ completedBeforeMs }),
    ]) {
      await expect(call).rejects.toMatchObject({ code: "invalid-input" });
    }
    expect(asked).toEqual([]);
  });

  it("refuses a condition of a change of many that is undefined, which would be no condition", async () => {
    const { provider, asked } = obligingProvider();
    const { admin } = new Client(provider);
    const filters = [{ name: undefined }, { instanceIds: undefined }, { completedBeforeMs: undefined }];
    for (const filter of filters as unknown as readonly { readonly name: string[] }[]) {
      await expect(admin.deleteAll(filter)).rejects.toThrow(/ is undefined; leave it out/);
      await expect(admin.pruneAll(filter, {})).rejects.toMatchObject({ code: "invalid-input" });
      await expect(admin.forEach(filter, async () => {})).rejects.toMatchObject({ code: "invalid-input" });
    }
    expect(asked).toEqual([]);
  });

  class ByName {
    get name(): string[] {
      return ["old"];
    }
  }

  it.each([
    ["a promise", Promise.resolve({ name: ["old"] })],
    ["a map", new Map([["name", ["old"]]])],
    ["a set", new Set(["old"])],
    ["a Date", new Date(0)],
    ["a list", [["old"]]],
    ["an object that inherits its conditions", Object.create({ name: ["old"] })],
    ["an instance of a class", new ByName()],
    ["nothing", undefined],
  ] as const)("refuses %s as a filter, which would be no condition", async (_, value) => {
    const { provider, asked } = obligingProvider();
    const { admin } = new Client(provider);
    const filter = value as unknown as { readonly name: string[] };
    for (const call of [
      () => admin.deleteAll(filter),
      () => admin.pruneAll(filter, {}),
      () => admin.forEach(filter, async () => {}),
    ])
      await expect(call()).rejects.toMatchObject({ code: "invalid-input" });
    expect(asked).toEqual([]);
  });

  it("refuses numbers that count nothing, and statuses that there are not", async () => {
    const { provider, asked } = obligingProvider();
    const { admin } = new Client(provider);
    await expect(admin.prune("i", { keepLast: Number.NaN })).rejects.toMatchObject({ code: "invalid-input" });
    await expect(admin.deleteAll({ limit: 0.5 })).rejects.toMatchObject({ code: "invalid-input" });
    await expect(admin.instances({ pageSize: 0 }).next()).rejects.toMatchObject({ code: "invalid-input" });
    const status = "completed" as "Completed";
    await expect(admin.instances({ status }).next()).rejects.toMatchObject({ code: "invalid-input" });
    expect(asked).toEqual([]);
  });

  it("refuses ids of dead letters that are no texts, and reasons that there are not", async () => {
    const { provider, asked } = obligingProvider();
    const { admin } = new Client(provider);
    const id = { id: "7" } as unknown as string;
    await expect(admin.dropDeadLetter(id)).rejects.toThrow(/dropDeadLetter: the dead letter id must be a/);
    await expect(admin.requeueDeadLetter(id)).rejects.toMatchObject({ code: "invalid-input" });
    const reason = "unserved" as "unserved-tag";
    await expect(admin.blocked({ reason }).next()).rejects.toThrow(/reason .*unserved-tag/);
    expect(asked).toEqual([]);
  });

  it.each(["suspend", "terminate", "rewind"] as const)("says what %s without options lacks", async (verb) => {
    const { provider, asked } = obligingProvider();
    const call = new Client(provider).admin[verb]("i", undefined as never);
    await expect(call).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringMatching(verb === "rewind" ? /toEvent/ : /reason is missing/),
    });
    expect(asked).toEqual([]);
  });

  it("passes on what is right", async () => {
    const { provider, asked } = obligingProvider();
    const { admin } = new Client(provider);
    await admin.prune("i", { keepLast: 0, completedBeforeMs: 0 });
    await admin.pruneAll({ instanceIds: ["a"], limit: 0, completedBeforeMs: 1.5 }, {});
    await admin.deleteAll({});
    for await (const _ of admin.instances({ status: "ContinuedAsNew", pageSize: 1 }));
    expect(asked).toEqual(["pruneInstances", "pruneInstances", "deleteInstances", "queryInstances"]);
  });
});
