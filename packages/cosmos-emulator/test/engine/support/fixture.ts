/** An engine with one container and a clock that the test moves. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eachWith } from "../../../../../test/support/each-with.ts";
import {
  type Container,
  Engine,
  type EngineOptions,
  type ItemOperation,
  type ItemResult,
} from "../../../src/engine/index.ts";
import type { CosmosError } from "../../../src/protocol/cosmos-error.ts";
import type { JsonObject } from "../../../src/protocol/json.ts";
import type { PartitionKey } from "../../../src/protocol/partition-key.ts";

/** 2026-10-10T09:04:00Z: the second in which the recorded ETags were given out. */
export const START_MS = 1_791_623_040_000;

export interface Clock {
  nowMs: number;
}

export interface Fixture extends Disposable {
  readonly engine: Engine;
  readonly clock: Clock;
  /** "docs" in the database "db", with the partition key /pk unless the test says otherwise. */
  readonly container: Container;
  /** The container as a request would find it, after a change of its definition. */
  reopened(): Container;
}

export const DEFAULTS: EngineOptions = {
  path: undefined,
  now: () => START_MS,
  random: () => 0.5,
  physicalPartitions: 1,
  lenient: false,
};

export function openEngine(
  definition: JsonObject = {},
  options: Partial<EngineOptions> = {},
  clock: Clock = { nowMs: START_MS },
): Fixture {
  const engine = Engine.open({ ...DEFAULTS, now: () => clock.nowMs, ...options });
  if (engine.listDatabases().length === 0) {
    engine.createDatabase({ id: "db" });
    engine.createContainer("db", {
      id: "docs",
      partitionKey: { paths: ["/pk"], kind: "Hash", version: 2 },
      ...definition,
    });
  }
  return {
    engine,
    clock,
    container: engine.container("db", "docs"),
    reopened: () => engine.container("db", "docs"),
    [Symbol.dispose]: () => engine.close(),
  };
}

/** A test on an engine of its own. */
export const onEngine = eachWith(() => openEngine());

/** A folder that is removed after the test. */
export function temporaryFolder(): Disposable & { file(name: string): string } {
  const folder = mkdtempSync(join(tmpdir(), "cosmos-emulator-"));
  return {
    file: (name) => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function create(body: JsonObject): ItemOperation {
  return { kind: "create", body };
}

export function upsert(body: JsonObject): ItemOperation {
  return { kind: "upsert", body };
}

export function read(container: Container, key: PartitionKey, id: string): JsonObject {
  return bodyOf(container.execute(key, { kind: "read", id }));
}

/** The item of a result; fails where there is none. */
export function bodyOf(result: Pick<ItemResult, "body">): JsonObject {
  if (result.body === undefined) throw new Error("the result has no body");
  return JSON.parse(result.body) as JsonObject;
}

/** Every item as text, of the container or of one partition, in the order of insertion. */
export function dump(container: Container, partitionKey?: PartitionKey): readonly string[] {
  const rows: string[] = [];
  let continuation: string | undefined;
  do {
    const page = container.readFeed({
      ...(partitionKey !== undefined && { partitionKey }),
      ...(continuation !== undefined && { continuation }),
    });
    rows.push(...page.rows);
    continuation = page.continuation;
  } while (continuation !== undefined);
  return rows;
}

/** The refusal of `run`; fails if there is none. */
export function refusalOf(run: () => unknown): CosmosError {
  try {
    run();
  } catch (error) {
    if (error instanceof Error && error.name === "CosmosError") return error as CosmosError;
    throw error;
  }
  throw new Error("nothing was refused");
}
