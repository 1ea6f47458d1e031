/** Connects to the container, or creates it, and checks all preconditions of the first operation. */
import type { Container, ContainerRequest, ContainerResponse, CosmosClient } from "@azure/cosmos";
import { type Failure, failureOf } from "../service/failure.ts";
import { checkAccount } from "./account-check.ts";
import { makeClient } from "./client.ts";
import { clockWarning, skewMs } from "./clock-skew.ts";
import { type CheckedContainer, checkContainer, type OpenWarning } from "./container-check.ts";
import { containerDefinition } from "./container-definition.ts";
import type { Intercept } from "./http-client.ts";
import { missing, type OpenStep, toOpenError } from "./open-error.ts";
import type { Settings, Throughput } from "./options.ts";
import { retryTransient } from "./retry-transient.ts";
import { selfTest } from "./self-test.ts";

/** Disposing ends the connection's background work and closes its sockets; pending requests then fail. */
export interface Opened extends AsyncDisposable {
  readonly container: Container;
  /** Faults that do not prevent operation; each is a sentence that ends with what to do. */
  readonly warnings: readonly OpenWarning[];
  /** Advice on what only makes lists of operators, or workers in Rust, cost more. */
  readonly advice: readonly string[];
  /** Queries for due work may name their type in the order (container-check.ts). */
  readonly hasDueOrder: boolean;
  /** Blocked work can be counted by its index (container-check.ts). */
  readonly hasBlockedIndex: boolean;
}

/** Throws `cannot-open` with what to do, or `unavailable` if the service does not recover in half a minute. */
export async function openContainer(settings: Settings, intercept?: Intercept): Promise<Opened> {
  const handle = makeClient(settings, intercept);
  try {
    const { client } = handle;
    const container = client.database(settings.database).container(settings.container);
    const skew = await readAccount(settings, client);
    const { warnings, ...indexes } = await readOrCreate(settings, client, container);
    await step(settings, "read", () => selfTest(settings, container));
    const dispose = async (): Promise<void> => handle[Symbol.dispose]();
    return { container, warnings: [...skew, ...warnings], ...indexes, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    handle[Symbol.dispose]();
    throw error;
  }
}

/** Returns a warning if its clock differs from ours. */
async function readAccount(settings: Settings, client: CosmosClient): Promise<OpenWarning[]> {
  const { clock } = settings;
  let sentMs = 0;
  const { resource, headers } = await step(settings, "read", () => {
    sentMs = clock.now();
    return client.getDatabaseAccount();
  });
  const skew = skewMs(settings, headers, { sentMs, answeredMs: clock.now() });
  if (resource !== undefined) checkAccount(settings, resource);
  return clockWarning(skew).map((message) => ({ message, about: "clock" }));
}

async function readOrCreate(
  settings: Settings,
  client: CosmosClient,
  container: Container,
): Promise<CheckedContainer> {
  const found = await step(settings, "read", () => unlessMissing(container.read()));
  if ("response" in found) return checkContainer(settings, found.response.resource ?? {});
  if (!settings.createIfMissing) throw missing(settings, found.cause);
  await step(settings, "create", () => unlessThere(client.databases.create({ id: settings.database })));
  await step(settings, "create", () => unlessThere(createContainer(settings, client)));
  // Read again, because another process may have created it, and a new container may not be readable at once.
  const { resource } = await step(settings, "read", () => container.read(), isMissing);
  return checkContainer(settings, resource ?? {});
}

/** One request, retried while the service cannot serve it; the last failure becomes an error that says what to do. */
async function step<Result>(
  settings: Settings,
  kind: OpenStep,
  call: () => Promise<Result>,
  isExpected?: (failure: Failure) => boolean,
): Promise<Result> {
  try {
    return await retryTransient(settings, call, isExpected);
  } catch (error) {
    throw toOpenError(settings, kind, error);
  }
}

/** The SDK removes the throughput from its argument, so each attempt gets a new definition. */
function createContainer(settings: Settings, client: CosmosClient): Promise<ContainerResponse> {
  const { database, container, throughput } = settings;
  return client
    .database(database)
    .containers.create({ ...containerDefinition(container), ...offer(throughput) });
}

function offer(throughput: Throughput | undefined): Pick<ContainerRequest, "throughput" | "maxThroughput"> {
  if (throughput === undefined) return {};
  return typeof throughput === "number" ? { throughput } : { maxThroughput: throughput.autoscaleMaxRu };
}

type Found = { readonly response: ContainerResponse } | { readonly cause: unknown };

async function unlessMissing(reading: Promise<ContainerResponse>): Promise<Found> {
  try {
    return { response: await reading };
  } catch (cause) {
    if (!isMissing(failureOf(cause))) throw cause;
    return { cause };
  }
}

function isMissing({ status, substatus }: Failure): boolean {
  return status === 404 && substatus !== 1002;
}

/** Ignores the error if another process has created it meanwhile. */
async function unlessThere(creating: Promise<unknown>): Promise<void> {
  try {
    await creating;
  } catch (error) {
    if (failureOf(error).status !== 409) throw error;
  }
}
