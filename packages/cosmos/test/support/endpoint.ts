/**
 * The local endpoint for tests of the provider: in the process of the tests, where a request costs half as much, and
 * behind HTTP where the tests run whole (docs/decisions/time-and-tests.md).
 */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { IS_DEEP } from "../../../../test/support/effort.ts";
import {
  connectionStringOf,
  openInProcess,
  requestsTo,
  type SendRequest,
} from "../../../../test/support/stores/in-process.ts";

export interface TestEndpoint
  extends Pick<CosmosEmulator, "connectionString" | "faults" | "partitions" | "requestLog">,
    AsyncDisposable {
  /** Sender of requests, if they do not go through HTTP. */
  readonly send?: SendRequest;
}

export async function startEndpoint(physicalPartitions = 1): Promise<TestEndpoint> {
  if (IS_DEEP) return CosmosEmulator.start({ port: 0, physicalPartitions });
  const endpoint = openInProcess(physicalPartitions, LOGGED_REQUESTS);
  const { faults, partitions, requestLog } = endpoint;
  return {
    connectionString: connectionStringOf(endpoint),
    faults,
    partitions,
    requestLog,
    send: requestsTo(endpoint),
    [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose](),
  };
}

/** Tests count requests by the log. */
const LOGGED_REQUESTS = 1_000;
