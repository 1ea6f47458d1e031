/** Opening what is there, creating what is missing, and waiting for a service that is busy. */
import type { TokenCredential } from "@azure/core-auth";
import { ProviderError } from "@duroxide-ts/core";
import { SeededRandom, VirtualClock } from "@duroxide-ts/core/testing";
import type { CosmosEmulator, FaultEffect } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { containerDefinition } from "../../src/connection/container-definition.ts";
import type { Intercept } from "../../src/connection/http-client.ts";
import { openContainer } from "../../src/connection/open-container.ts";
import {
  entraSettingsFor,
  letTimePass,
  rewriting,
  settingsFor,
  someIdentity,
  startEndpoint,
} from "./fixture.ts";

/** Time stands still, and waits are as long in every run. */
const timeless = (): { readonly clock: VirtualClock; readonly random: SeededRandom } => ({
  clock: new VirtualClock(),
  random: new SeededRandom("opening"),
});

const requestsTo = (emulator: CosmosEmulator, operation: "container.create" | "database.create"): number =>
  emulator.requestLog.since().byOperation.get(operation)?.requests ?? 0;

describe("a missing container", () => {
  it("is created with its database, and needs no warning", async () => {
    await using emulator = await startEndpoint();
    await using opened = await openContainer(settingsFor(emulator));
    expect(opened.warnings).toEqual([]);
    const { resource } = await opened.container.read();
    const { indexingPolicy, partitionKey, ...rest } = containerDefinition("duroxide");
    expect(resource).toMatchObject({
      ...rest,
      partitionKey: { ...partitionKey, kind: "Hash" },
      indexingPolicy: {
        includedPaths: indexingPolicy?.includedPaths,
        compositeIndexes: indexingPolicy?.compositeIndexes,
      },
    });
    expect(opened.container.database.id).toBe("duroxide");
  });

  it.each([
    [{ throughput: 700 }, { offerThroughput: 700 }],
    [{ throughput: { autoscaleMaxRu: 4_000 } }, { offerAutopilotSettings: { maxThroughput: 4_000 } }],
    [{}, { offerThroughput: 400 }],
  ])("gets the throughput %j, also when the service was busy", async (options, content) => {
    await using emulator = await startEndpoint();
    const { clock, random } = timeless();
    const effect: FaultEffect = { kind: "error", status: 429, retryAfterMs: 100 };
    emulator.faults.add({ match: { operation: "container.create" }, next: 2, effect });
    const opening = openContainer(settingsFor(emulator, { ...options, clock, random }));
    await using opened = await letTimePass(clock, opening);
    expect((await opened.container.readOffer()).resource?.content).toMatchObject(content);
  });

  it("is opened by all of several processes that find it missing", async () => {
    await using emulator = await startEndpoint();
    await using first = await openContainer(settingsFor(emulator));
    let isMissing = true;
    const foundNothing: Intercept = async (request, next) => {
      const response = await next(request);
      if (!request.url.endsWith("/colls/duroxide") || !isMissing) return response;
      isMissing = false;
      return { ...response, status: 404, bodyAsText: '{"message":"not yet"}' };
    };
    await using second = await openContainer(settingsFor(emulator), foundNothing);
    expect([first.warnings, second.warnings]).toEqual([[], []]);
    expect([requestsTo(emulator, "database.create"), requestsTo(emulator, "container.create")]).toEqual([
      2, 2,
    ]);
  });
});

describe("a container that exists", () => {
  it("is opened by its name with three requests and the two of the self-test, and nothing is created", async () => {
    await using emulator = await startEndpoint();
    const settings = settingsFor(emulator, { database: "shop", container: "orders" });
    await using _created = await openContainer(settings);
    const mark = emulator.requestLog.mark();
    await using opened = await openContainer(settings);
    expect([opened.container.database.id, opened.container.id]).toEqual(["shop", "orders"]);
    const { byOperation } = emulator.requestLog.since(mark);
    expect([...byOperation].map(([kind, { requests }]) => [kind, requests])).toEqual([
      ["account.read", 2],
      ["container.read", 1],
      ["item.batch", 1],
      ["item.read", 1],
    ]);
  });

  it("is opened with Entra ID, over a certificate that is accepted because it is this machine's", async () => {
    await using emulator = await startEndpoint({ https: true, aad: true });
    const keyed = settingsFor(emulator, { acceptSelfSignedCertificate: true });
    await using _created = await openContainer(keyed);
    await using opened = await openContainer(entraSettingsFor(emulator, someIdentity));
    await opened.container.items.create({ id: "a", instanceId: "i" });
    expect((await opened.container.item("a", "i").read()).statusCode).toBe(200);
  });
});

describe("a service that is busy", () => {
  it.each<[string, FaultEffect]>([
    ["throttles", { kind: "error", status: 429, retryAfterMs: 700 }],
    ["has conflicting writes", { kind: "error", status: 449 }],
    ["is overloaded", { kind: "error", status: 503 }],
    ["loses answers", { kind: "loseResponse" }],
    ["resets connections", { kind: "reset" }],
  ])("and %s is asked again", async (_, effect) => {
    await using emulator = await startEndpoint();
    const { clock, random } = timeless();
    const operation = ["account.read", "container.read", "database.create", "container.create"] as const;
    for (const kind of operation) emulator.faults.add({ match: { operation: kind }, next: 3, effect });
    await using opened = await letTimePass(clock, openContainer(settingsFor(emulator, { clock, random })));
    expect(opened.warnings).toEqual([]);
  });

  it("is not asked before the time that it names", async () => {
    await using emulator = await startEndpoint();
    const { clock, random } = timeless();
    const startedMs = clock.now();
    const effect: FaultEffect = { kind: "error", status: 429, retryAfterMs: 9_000 };
    emulator.faults.add({ match: { operation: "container.read" }, next: 2, effect });
    await using _opened = await letTimePass(clock, openContainer(settingsFor(emulator, { clock, random })));
    expect(clock.now() - startedMs).toBe(18_000);
  });

  it.each<[string, FaultEffect]>([
    ["throttling", { kind: "error", status: 429, retryAfterMs: 1_000 }],
    ["resetting connections", { kind: "reset" }],
  ])(
    "and does not stop %s is given up after half a minute, as an error that may be retried",
    async (_, effect) => {
      await using emulator = await startEndpoint();
      const { clock, random } = timeless();
      const startedMs = clock.now();
      emulator.faults.add({ match: {}, effect });
      const opening = openContainer(settingsFor(emulator, { clock, random }));
      const error = await letTimePass(
        clock,
        opening.then(
          () => "opened",
          (reason: unknown) => reason,
        ),
      );
      expect(error).toMatchObject({ code: "unavailable", retryable: true, operation: "connect" });
      expect(ProviderError.is(error) && error.detail).toMatch(/out of reach.*Try again later/);
      expect(clock.now() - startedMs).toBeGreaterThan(24_000);
      expect(clock.now() - startedMs).toBeLessThanOrEqual(30_000);
    },
  );

  it("and is not where the account says: the error names the address that refused, and its source", async () => {
    await using emulator = await startEndpoint();
    const { clock, random } = timeless();
    const elsewhere = "http://localhost:9/";
    const location = { name: "Local", databaseAccountEndpoint: elsewhere };
    const mapped = rewriting("/", (account) => ({
      ...account,
      writableLocations: [location],
      readableLocations: [location],
    }));
    const opening = openContainer(settingsFor(emulator, { clock, random }), mapped);
    const error: unknown = await letTimePass(
      clock,
      opening.catch((reason: unknown) => reason),
    );
    const { host } = new URL(emulator.endpoint);
    expect(ProviderError.is(error) && error.detail).toContain(
      `no answer from localhost:9, the address that the account at ${host} names as its own (ECONNREFUSED)`,
    );
  });
});

describe("an identity that is not ready", () => {
  /** Fails so often, as a managed identity does just after the start of a pod. */
  const readyAfter = (failures: number): TokenCredential => {
    let asked = 0;
    return {
      async getToken(...args) {
        asked += 1;
        if (asked > failures) return someIdentity.getToken(...args);
        throw new Error(`No managed identity endpoint found.\nAsked ${asked} times.`);
      },
    };
  };

  it("is waited for", async () => {
    await using emulator = await startEndpoint({ https: true, aad: true });
    await using _created = await openContainer(settingsFor(emulator, { acceptSelfSignedCertificate: true }));
    const { clock, random } = timeless();
    const settings = entraSettingsFor(emulator, readyAfter(6), { clock, random });
    await using opened = await letTimePass(clock, openContainer(settings));
    expect(opened.container.id).toBe("duroxide");
  });

  it("is given up after half a minute, with its last reason, as an error that may be retried", async () => {
    await using emulator = await startEndpoint({ https: true, aad: true });
    const { clock, random } = timeless();
    const startedMs = clock.now();
    const opening = openContainer(entraSettingsFor(emulator, readyAfter(1_000), { clock, random }));
    const error: unknown = await letTimePass(
      clock,
      opening.catch((reason: unknown) => reason),
    );
    expect(error).toMatchObject({ code: "unavailable", retryable: true, operation: "connect" });
    expect(ProviderError.is(error) && error.detail).toMatch(
      /no Microsoft Entra token \(No managed identity endpoint found\)\. Try again later; .*az login/,
    );
    expect(clock.now() - startedMs).toBeGreaterThan(24_000);
    expect(emulator.requestLog.since().total.requests).toBe(0);
  });
});
