/**
 * A container of its own on a local endpoint, and leases on it in either way. The server's time moves by `passTime`
 * only.
 */
import { Agent } from "node:https";
import {
  type Container,
  CosmosClient,
  type CosmosClientOptions,
  type PartitionKeyDefinition,
} from "@azure/cosmos";
import { systemRandom } from "@duroxide-ts/core";
import { VirtualClock } from "@duroxide-ts/core/testing";
import { DocumentLeases, type DocumentLeasesOptions } from "@duroxide-ts/cosmos/document-leases";
import { CosmosEmulator, type CosmosEmulatorOptions } from "@duroxide-ts/cosmos-emulator";
import { afterAll, beforeAll, beforeEach } from "vitest";

/** Duration of a lease, ms: none ends by itself on any machine. Twice as much is not too long for a signature. */
export const LEASE_MS = 400_000;

/** Options without a limit that a slow machine would meet. */
const PATIENT = { leaseMs: LEASE_MS, timeoutMs: 600_000, requestTimeoutMs: 600_000 } as const;

/** Both must give the same results. */
export const WAYS = [
  ["procedures", { ...PATIENT, procedures: "required" }],
  ["batches", { ...PATIENT, procedures: "never" }],
] as const satisfies readonly (readonly [string, DocumentLeasesOptions])[];

export const DATABASE = "leases";

export class Fixture {
  readonly emulator: CosmosEmulator;
  readonly client: CosmosClient;
  readonly container: Container;

  constructor(emulator: CosmosEmulator, client: CosmosClient, container: Container) {
    this.emulator = emulator;
    this.client = client;
    this.container = container;
  }

  /** Opens the leases as a process of its own does. */
  leases(options: DocumentLeasesOptions): DocumentLeases {
    return DocumentLeases.on(this.container, options);
  }

  /** The server's clock; callers' clocks stay where they are. */
  passTime(ms: number): void {
    this.emulator.faults.clockSkewMs += ms;
  }

  async put(id: string, fields: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.container.items.upsert({ id, ...fields });
  }

  async read(id: string): Promise<Record<string, unknown>> {
    const { resource } = await this.container.item(id, id).read<Record<string, unknown>>();
    return resource ?? {};
  }

  /** Another one, partitioned otherwise. */
  async newContainer(paths: readonly string[]): Promise<Container> {
    return newContainer(this.client, paths);
  }
}

/** The clock of a machine that is hours off. */
export function callerClock(hoursOff: number): VirtualClock {
  return new VirtualClock(Date.now() + hoursOff * 3_600_000);
}

/** One endpoint for the file; each test has a container of its own, partitioned by id. */
export function fixture(options: CosmosEmulatorOptions = {}): () => Fixture {
  let emulator: CosmosEmulator;
  let client: CosmosClient;
  let current: Fixture;
  beforeAll(async () => {
    emulator = await CosmosEmulator.start({ port: 0, physicalPartitions: 3, ...options });
    client = clientOf(emulator);
    await client.databases.create({ id: DATABASE });
  });
  beforeEach(async () => {
    emulator.faults.clear();
    current = new Fixture(emulator, client, await newContainer(client, ["/id"]));
  });
  afterAll(async () => {
    client.dispose();
    await emulator.stop();
  });
  return () => current;
}

/** Retries of the client itself would wait in real time. */
function clientOf(emulator: CosmosEmulator): CosmosClient {
  const { connectionString } = emulator;
  const retryOptions = {
    maxRetryAttemptCount: 0,
    fixedRetryIntervalInMilliseconds: 0,
    maxWaitTimeInSeconds: 0,
  };
  return new CosmosClient({ connectionString, connectionPolicy: { retryOptions }, ...trusting(emulator) });
}

/** Options of a client, for an endpoint with a certificate of its own. */
export function trusting({ certificate }: CosmosEmulator): Pick<CosmosClientOptions, "agent"> {
  return certificate === undefined ? {} : { agent: new Agent({ ca: certificate }) };
}

async function newContainer(client: CosmosClient, paths: readonly string[]): Promise<Container> {
  const kind = paths.length > 1 ? "MultiHash" : "Hash";
  const partitionKey = { paths: [...paths], kind, version: 2 } as PartitionKeyDefinition;
  const id = systemRandom.uuid();
  const { container } = await client.database(DATABASE).containers.create({ id, partitionKey });
  return container;
}
