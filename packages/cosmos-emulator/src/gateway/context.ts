/** The input of a handler. Handlers are functions from this to an answer; everything that they need is in it. */
import type { Container, Engine } from "../engine/index.ts";
import { CosmosError } from "../protocol/cosmos-error.ts";
import type { ScriptEngine } from "../scripts/index.ts";
import type { Answer } from "./answers/answer.ts";
import type { RefusedOperation } from "./faults/operation-fault.ts";
import { HEADER, textHeader } from "./headers/headers.ts";
import type { Address } from "./requests/address.ts";
import type { OperationKind } from "./requests/operation-kind.ts";
import type { GatewayRequest } from "./requests/request.ts";

/** The parts that all requests share. */
export interface Endpoint {
  readonly engine: Engine;
  /** Whether it answers what the service refuses and other emulators accept. */
  readonly lenient: boolean;
  readonly treatBatchesAsAtomic: boolean;
  /** Loads the interpreter of stored procedures at the first call. */
  scripts(): Promise<ScriptEngine>;
  newId(): string;
  monotonicMs(): number;
}

export interface RequestContext extends Endpoint {
  readonly request: GatewayRequest;
  readonly address: Address;
  readonly operation: OperationKind;
  /** Number of writes that a read may be behind its partition, by a fault rule; 0 as a rule. */
  readonly writesBehind: number;
  /** Largest number of items of a page, by a fault rule. */
  readonly mostItems: number | undefined;
  /** The operation of a batch that a fault rule refuses. */
  readonly refusedOperation?: RefusedOperation | undefined;
}

/** Synchronous wherever it can be, so that nothing comes between two steps of a request. */
export type Handler = (context: RequestContext) => Answer | Promise<Answer>;

/**
 * Opens the container in the path; 404/1003 where it does not exist, 404/1024 where the caller means one of this name
 * that was deleted since.
 */
export function containerOf({ engine, request, address }: RequestContext): Container {
  const container = engine.container(address.database, address.container);
  const intended = textHeader(request.headers, HEADER.intendedContainer);
  if (intended === undefined || intended === "" || intended === container.rid) return container;
  throw CosmosError.notFound(
    `The container has the _rid ${container.rid}, the request means ${intended}: read the container again.`,
    { substatus: 1024 },
  );
}
