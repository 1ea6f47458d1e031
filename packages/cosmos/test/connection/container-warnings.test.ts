/** Tests the warnings about a container that is opened although it is not as it should be. */
import type { ContainerDefinition } from "@azure/cosmos";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { makeClient } from "../../src/connection/client.ts";
import {
  containerDefinition,
  indexingPolicy,
  NEEDED_COMPOSITES,
  NEEDED_PATHS,
} from "../../src/connection/container-definition.ts";
import { type Opened, openContainer } from "../../src/connection/open-container.ts";
import type { CosmosProviderOptions } from "../../src/connection/options.ts";
import { settingsFor, startEndpoint } from "./fixture.ts";

/** Opens a container that was made with this definition; opening does not change it. */
async function openedWith(definition: ContainerDefinition): Promise<Pick<Opened, "warnings" | "advice">> {
  await using emulator = await startEndpoint();
  using handle = makeClient(settingsFor(emulator));
  const { database } = await handle.client.databases.create({ id: "duroxide" });
  const { container } = await database.containers.create(definition);
  const { resource: before } = await container.read();
  await using opened = await openContainer(settingsFor(emulator));
  expect((await opened.container.read()).resource).toEqual(before);
  return opened;
}

async function warningsFor(definition: ContainerDefinition): Promise<readonly string[]> {
  return (await openedWith(definition)).warnings.map(({ message }) => message);
}

const indexedBy = (policy: ContainerDefinition["indexingPolicy"] & object): ContainerDefinition => ({
  ...containerDefinition("duroxide"),
  indexingPolicy: policy,
});

/** The paths that a warning names, those of composite indexes last. */
const namedIn = (warnings: readonly string[]): string[] =>
  warnings.flatMap((warning) =>
    [...warning.matchAll(/(\/\w+|\([^)]*\)) \[/g)].map((match) => match[1] ?? ""),
  );

describe("an indexing policy", () => {
  it("that lacks a path and a composite is reported, with what suffers and the command that mends it", async () => {
    const ours = indexingPolicy();
    const [warning, ...more] = await warningsFor(
      indexedBy({
        ...ours,
        includedPaths: ours.includedPaths?.filter(({ path }) => path !== "/tag/?") ?? [],
        compositeIndexes: ours.compositeIndexes?.slice(0, 4) ?? [],
      }),
    );
    expect(more).toEqual([]);
    expect(warning).toContain(
      "lacks indexes on /tag [activities with a tag]; and composite indexes on (/type, /createdAt) [listing instances in order]",
    );
    expect(warning?.split("\n")[1]).toBe(
      `az cosmosdb sql container update --account-name <account> --resource-group <resource-group> --database-name duroxide --name duroxide --idx '${JSON.stringify(ours)}'`,
    );
  });

  it("that indexes everything lacks only the composites", async () => {
    const warnings = await warningsFor(indexedBy({ includedPaths: [{ path: "/*" }], excludedPaths: [] }));
    expect(namedIn(warnings)).toEqual([
      "(/type, /dispatchSlot, /visibleAt, /enqueuedAt)",
      "(/type, /executionId, /eventId)",
      "(/type, /status)",
      "(/type, /visibleAt, /enqueuedAt)",
      "(/type, /createdAt)",
    ]);
  });

  it("is judged by its most precise entry, and by an index in reverse as by one forwards", async () => {
    const { compositeIndexes = [] } = indexingPolicy();
    const reversed = compositeIndexes.map((paths) =>
      paths.map(({ path }) => ({ path, order: "descending" as const })),
    );
    const policy = {
      includedPaths: [
        { path: "/*" },
        { path: '/"tag"/?' },
        { path: "/duroxideTs/completedAt/?" },
        { path: "/duroxideTs/blocked/*" },
      ],
      excludedPaths: [{ path: "/tag/*" }, { path: "/duroxideTs/*" }, { path: "/status/?" }],
      compositeIndexes: reversed,
    };
    expect(namedIn(await warningsFor(indexedBy(policy)))).toEqual(["/status"]);
  });

  it("that mixes directions does not serve an order", async () => {
    const [first = [], ...rest] = indexingPolicy().compositeIndexes ?? [];
    const mixed = first.map(({ path }, at) => ({
      path,
      order: at === 0 ? ("descending" as const) : ("ascending" as const),
    }));
    const policy = { ...indexingPolicy(), compositeIndexes: [mixed, ...rest] };
    expect(namedIn(await warningsFor(indexedBy(policy)))).toEqual([
      "(/type, /dispatchSlot, /visibleAt, /enqueuedAt)",
    ]);
  });

  it("that is switched off lacks everything", async () => {
    const warnings = await warningsFor(indexedBy({ indexingMode: "none", automatic: false }));
    expect(namedIn(warnings)).toHaveLength(NEEDED_PATHS.length + NEEDED_COMPOSITES.length);
  });
});

describe("an index that not everybody needs", () => {
  it("is advised once, with what it is for, what it costs and the command that adds it", async () => {
    const ours = indexingPolicy();
    const includedPaths = ours.includedPaths?.filter(({ path }) => path !== "/lockToken/?") ?? [];
    const { warnings, advice } = await openedWith(indexedBy({ ...ours, includedPaths }));
    expect([warnings.length, advice.length]).toEqual([0, 1]);
    expect(advice[0]).toMatch(/lacks indexes on \/lockToken \[.* Rust .*\]\. An index costs about 0\.4 RU /);
    expect(advice[0]?.split("\n")[1]).toContain(`--idx '${JSON.stringify(ours)}'`);
  });

  it("is in new containers", async () => {
    const { warnings, advice } = await openedWith(containerDefinition("duroxide"));
    expect([warnings, advice]).toEqual([[], []]);
  });
});

describe("a container", () => {
  it("without time to live keeps receipts, which is reported", async () => {
    const { defaultTtl: _, ...definition } = containerDefinition("duroxide");
    const [warning, ...more] = await warningsFor(definition);
    expect(more).toEqual([]);
    expect(warning).toMatch(/receipts of delivered messages stay for ever.*\naz cosmosdb sql .* --ttl -1$/s);
  });

  it("with partition keys of version 1 takes shorter instance ids, which is reported", async () => {
    const definition = {
      ...containerDefinition("duroxide"),
      partitionKey: { paths: ["/instanceId"], version: 1 },
    };
    expect(await warningsFor(definition)).toEqual([expect.stringMatching(/more than 101 bytes/)]);
  });
});

describe("a clock", () => {
  async function warningsAt(
    clockSkewMs: number,
    options: CosmosProviderOptions = {},
  ): Promise<readonly string[]> {
    await using emulator = await startEndpoint();
    emulator.faults.clockSkewMs = clockSkewMs;
    await using opened = await openContainer(settingsFor(emulator, options));
    return opened.warnings.map(({ message }) => message);
  }

  it.each([
    [-60_000, /clock is (59|60|61) seconds ahead of the service's: .* Set the clock/],
    [60_000, /clock is (59|60|61) seconds behind the service's/],
  ])("that differs by %i ms from the service's is told", async (skewMs, sentence) => {
    expect(await warningsAt(skewMs)).toEqual([expect.stringMatching(sentence)]);
  });

  it("that differs by a little, or is not the system's, is not", async () => {
    expect(await warningsAt(900)).toEqual([]);
    expect(await warningsAt(60_000, { clock: new VirtualClock() })).toEqual([]);
  });
});
