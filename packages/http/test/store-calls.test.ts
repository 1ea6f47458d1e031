/** The calls of a `Client` that read and change what is stored: an `HttpClient` has them too, with the same results. */
import {
  type Client,
  InvalidInputError,
  JsonText,
  key,
  NotDeliveredError,
  ProviderError,
  RefusedError,
  schedule,
  TimeoutError,
} from "@duroxide-ts/core";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import type { AnyClient, User } from "../src/index.ts";
import { bothWays, openOverHttp, overHttp } from "./support/over-http.ts";
import { checkout } from "./support/shop.ts";

async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const total = key("total", { schema: z.number() });

/** An instance that keeps a total and waits, and one that has failed. */
async function seeded(client: Client): Promise<void> {
  const kept = await client.start("keeps", { instanceId: "k" });
  await kept.enqueue("lines", 700);
  await kept.waitFor("total");
  const failed = await client.start("failing", { instanceId: "f" });
  await failed.result().catch(() => {});
}

describe("a handle over HTTP", () => {
  overHttp("reads key-value entries, sizes, streams and events as a handle of the store does", async (at) => {
    await seeded(at.direct);
    const calls: readonly ((client: AnyClient) => Promise<unknown>)[] = [
      (client) => client.handle("keeps", "k").get(total),
      (client) => client.handle("keeps", "k").get("absent"),
      (client) => client.handle("keeps", "k").get(key("total", { schema: z.string() })),
      (client) => client.handle("keeps", "k").entries(),
      (client) => client.handle("keeps", "k").stats(),
      (client) => client.handle("keeps", "k").streams(),
      (client) => client.handle("keeps", "k").history(),
      (client) => client.handle("keeps", "k").history(7),
      (client) => client.handle("keeps", "none").get(total),
      (client) => client.handle("keeps", "none").entries(),
      (client) => client.handle("keeps", "none").stats(),
      (client) => client.handle("keeps", "none").streams(),
      (client) => client.handle("keeps", "none").history(),
      (client) => listed(client.handle("keeps", "k").stream("tokens", { wait: false })),
      (client) => client.undecoded().handle("keeps", "k").get("total"),
      (client) => client.undecoded().handle("failing", "f").status(),
      (client) => listed(client.undecoded().handle("keeps", "k").stream("tokens", { wait: false })),
    ];
    for (const call of calls) {
      const [over, direct] = await bothWays(at, call);
      expect(over).toEqual(direct);
    }
  });

  overHttp("reads an entry of null, which is there", async (at) => {
    const kept = await at.direct.start("keeps", { instanceId: "n" });
    await kept.enqueue("lines", null);
    expect(await at.over.handle("keeps", "n").waitFor("total")).toBeNull();
    expect(await at.over.handle("keeps", "n").get("total")).toBeNull();
    expect((await at.shop.send("GET", "/api/instances/n/entries/total")).status).toBe(200);
  });

  overHttp("waits for an entry, also of an instance that is started meanwhile", async (at) => {
    const waited = at.over.handle("keeps", "k").waitFor(total);
    await seeded(at.direct);
    expect(await waited).toBe(700);
    const absent = at.over.handle("keeps", "k").waitFor("absent", { timeout: 1 });
    expect(TimeoutError.is(await absent.catch((error: unknown) => error))).toBe(true);
  });
});

describe("a client over HTTP", () => {
  overHttp("lists and inspects as a client of the store does", async (at) => {
    await seeded(at.direct);
    const calls: readonly ((client: AnyClient) => Promise<unknown>)[] = [
      (client) => client.admin.query({ filter: { status: ["Failed"] } }),
      (client) => client.admin.count({}, ["name"]),
      (client) => client.admin.info("k"),
      (client) => client.admin.info("none"),
      (client) => client.admin.executions("k"),
      (client) => client.admin.execution("k", 1),
      (client) => client.admin.execution("k", 9),
      (client) => client.admin.history("f"),
      (client) => client.admin.timeline("k"),
      (client) => client.admin.timeline("k", 1),
      (client) => client.admin.tree("k"),
      (client) => client.admin.work(),
      (client) => client.admin.deadLetters(),
      (client) => client.admin.metrics(),
      (client) => client.admin.runningMetrics(),
      (client) => client.admin.queueDepths(),
      (client) => listed(client.admin.instances()),
      (client) => listed(client.admin.instances({ status: "Running", pageSize: 1 })),
      (client) => listed(client.admin.blocked()),
      (client) => client.admin.query({ limit: -1 }),
      (client) => client.limits.list(),
      (client) => client.limits.get("partner"),
      (client) => client.schedules.list(),
      (client) => client.schedules.get("none"),
      (client) => client.schedules.next("none"),
    ];
    for (const call of calls) {
      const [over, direct] = await bothWays(at, call);
      expect(over).toEqual(direct);
    }
  });

  overHttp("changes instances by hand, under the user of the server", async (at) => {
    await seeded(at.direct);
    await at.over.admin.suspend("k", { reason: "the bank is down", by: "somebody else" });
    expect((await at.direct.admin.info("k")).suspended).toMatchObject({
      reason: "the bank is down",
      by: "ada",
    });
    expect(await at.over.admin.resume("k")).toEqual({ resumed: true });
    expect(RefusedError.is(await at.over.admin.retry("k").catch((error: unknown) => error))).toBe(true);
    const kinds = await at.over.admin.forEach({ status: ["Running"] }, (id) =>
      at.over.admin.terminate(id, { reason: "the end" }),
    );
    expect(kinds).toEqual({ done: 1, refused: 0, failed: 0, errors: [] });
    expect(await at.over.handle("keeps", "k").status()).toMatchObject({ status: "Cancelled" });
    await at.over.admin.delete("k");
    expect(await listed(at.direct.admin.instances())).toEqual(["f"]);
  });

  it("goes on with a call for each instance after a failure of the callback that watches it", async () => {
    await using at = await openOverHttp();
    await seeded(at.direct);
    const failures: readonly (() => unknown)[] = [
      () => {
        throw new Error("at once");
      },
      () => Promise.reject(new Error("later")),
    ];
    for (const onProgress of failures) {
      for (const client of [at.direct, at.over]) {
        const result = await client.admin.forEach({}, async () => {}, { onProgress });
        expect(result).toMatchObject({ done: 2, failed: 0 });
      }
    }
  });

  overHttp("delivers a corrected message again", async (at) => {
    const waits = await at.direct.start("strict", { instanceId: "s" });
    await waits.enqueue("paid", "no number");
    const misfit = await vi.waitFor(async () => {
      const [first] = (await at.over.admin.timeline("s")).setAside;
      expect(first).toBeDefined();
      return first;
    }, 60_000);
    await at.over.admin.redeliver("s", { eventId: misfit?.id ?? 0, message: 7 });
    expect(await at.over.handle("strict", "s").result()).toBe(7);
  });

  overHttp("has limits and schedules", async (at) => {
    await at.over.limits.set("partner", { concurrency: 5 }, { reason: "a new contract" });
    expect(await at.direct.limits.list()).toMatchObject([
      { key: "partner", limits: { concurrency: 5 }, by: "ada", reason: "a new contract" },
    ]);
    await at.over.limits.delete("partner");
    expect(await at.over.limits.list()).toEqual([]);
    const input = { sku: "chair", count: 2 };
    const nightly = schedule("nightly", { cron: "0 3 * * *", orchestration: checkout, input });
    expect(await at.over.schedules.apply([nightly])).toMatchObject({ created: ["nightly"] });
    const later = schedule("later", { at: [new Date("2999-01-01")], orchestration: "echo" });
    expect(await at.over.schedules.apply([later])).toMatchObject({ created: ["later"] });
    expect(await at.over.schedules.get("nightly")).toEqual(await at.direct.schedules.get("nightly"));
    const run = await at.over.schedules.trigger("nightly", { input: { sku: "desk", count: 1 } });
    expect(await run.result()).toBe("shipped 1 desk");
    const [from, to] = [new Date("2026-01-01T12:00Z"), new Date("2026-01-02T12:00Z")];
    await at.over.schedules.backfill("nightly", { from, to });
    expect(await at.over.schedules.pause("nightly", { reason: "holiday" })).toBeUndefined();
    expect((await at.direct.schedules.get("nightly"))?.paused).toMatchObject({ by: "ada" });
    expect(await at.over.schedules.delete("nightly")).toBe(true);
  });

  it("refuses payloads that JSON cannot say, or that would change on their way, by name", async () => {
    await using at = await openOverHttp({ works: false });
    const nightly = { name: "nightly", cron: "0 3 * * *", orchestration: "echo" } as const;
    const apply = (client: AnyClient) => client.schedules.apply([{ ...nightly, input: new Map() }]);
    const [over, direct] = await bothWays(at, apply);
    expect(over).toEqual(direct);
    await at.direct.schedules.apply([nightly]);
    const twice = new JsonText('{"a":1,"a":2}');
    const calls: readonly [RegExp, () => Promise<unknown>][] = [
      [
        /^input of orchestration "echo": .*9007199254740993/,
        () => at.over.schedules.apply([{ ...nightly, input: new JsonText("9007199254740993") }]),
      ],
      [
        /^input of orchestration "echo": a name occurs twice/,
        () => at.over.schedules.apply([{ ...nightly, input: twice }]),
      ],
      [
        /^schedules.trigger: input: a name occurs twice/,
        () => at.over.schedules.trigger("nightly", { input: twice }),
      ],
      [/^admin.redeliver: eventId/, () => at.over.admin.redeliver("s", undefined as never)],
      [/^admin.redeliver: message: /, () => at.over.admin.redeliver("s", { eventId: 1, message: new Map() })],
      [
        /^schedules.trigger: input: /,
        () => at.over.undecoded().schedules.trigger("nightly", { input: "no JSON" }),
      ],
    ];
    for (const [message, call] of calls)
      await expect(call()).rejects.toMatchObject({
        code: "invalid-input",
        message: expect.stringMatching(message),
      });
  });

  overHttp("starts a run of nothing where that is the input", async (at) => {
    const input = "of the schedule";
    await at.direct.schedules.apply([{ name: "nightly", cron: "0 3 * * *", orchestration: "echo", input }]);
    for (const client of [at.direct, at.over]) {
      const run = await client.schedules.trigger("nightly", { input: undefined });
      expect(await run.result()).toEqual({ input: "none" });
    }
  });

  it("refuses an input of a schedule that the code on the server does not take", async () => {
    await using at = await openOverHttp({ works: false });
    const wrong = {
      name: "nightly",
      cron: "0 3 * * *",
      orchestration: "checkout",
      input: { sku: 1 },
    } as const;
    const error = await at.over.schedules.apply([wrong]).catch((reason: unknown) => reason);
    expect(InvalidInputError.is(error)).toBe(true);
  });
});

describe("the store as a whole", () => {
  it("is not served unless the option says so", async () => {
    await using at = await openOverHttp({ admin: false, works: false });
    await at.direct.start("echo", { instanceId: "e" });
    const calls: readonly (() => Promise<unknown>)[] = [
      () => at.over.admin.query(),
      () => at.over.admin.delete("e"),
      () => at.over.limits.list(),
      () => at.over.schedules.list(),
      () => at.over.handle("echo", "e").history(),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "unsupported" });
    expect((await at.over.handle("echo", "e").status()).status).toBe("NotFound");
  });

  it("is read by viewers and changed by operators", async () => {
    const viewer: User = { user: "vera", role: "viewer" };
    await using at = await openOverHttp({ authorize: () => viewer });
    await seeded(at.direct);
    expect((await at.over.admin.query()).instances).toHaveLength(2);
    const changes: readonly (() => Promise<unknown>)[] = [
      () => at.over.admin.delete("f"),
      () => at.over.admin.deleteAll({}),
      () => at.over.limits.set("a", { concurrency: 1 }),
      () => at.over.schedules.delete("a"),
    ];
    for (const change of changes) await expect(change()).rejects.toMatchObject({ code: "read-only" });
    expect(await listed(at.direct.admin.instances())).toHaveLength(2);
  });

  it("shows nothing that is redacted", async () => {
    await using at = await openOverHttp({
      redact: (_path, value) => (typeof value === "object" ? value : "hidden"),
    });
    await seeded(at.direct);
    expect(await at.over.handle("keeps", "k").get("total")).toBe("hidden");
    expect([...(await at.over.handle("keeps", "k").entries()).values()]).toEqual(["hidden"]);
    expect(await at.over.handle("keeps", "k").waitFor("total")).toBe("hidden");
    const shown = JSON.stringify([
      await at.over.admin.query(),
      await at.over.admin.timeline("f"),
      await at.over.admin.history("f"),
      await at.over.handle("failing", "f").history(),
      await at.over.handle("keeps", "k").history(),
    ]);
    expect(shown).not.toMatch(/\b(4111|700)\b/);
  });

  it("has no call that is not in the table", async () => {
    await using at = await openOverHttp({ works: false });
    for (const path of [
      "/admin/constructor",
      "/admin/__proto__",
      "/admin/forEach",
      "/toString/call",
      "/admin",
    ]) {
      expect((await at.shop.send("POST", `/api${path}`, [])).status).toBe(404);
    }
    expect((await at.shop.send("GET", "/api/admin/query")).status).toBe(405);
    expect((await at.shop.send("POST", "/api/admin/query", { limit: 1 })).status).toBe(400);
    expect((await at.shop.send("POST", "/api/admin/suspend", ["k", 5])).status).toBe(400);
    const error = await at.over
      .handle("echo", "none")
      .cancel()
      .catch((reason: unknown) => reason);
    expect(NotDeliveredError.is(error) && !ProviderError.is(error)).toBe(true);
  });
});
