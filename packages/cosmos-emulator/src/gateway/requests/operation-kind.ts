/**
 * The kinds of operation: one for each pair of resource and verb, with the headers that change what a verb means.
 * Routes, faults, the request log and the rights of bearer tokens all speak of operations by these names.
 */
import type { IncomingHttpHeaders } from "node:http";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { flagHeader, HEADER, textHeader } from "../headers/headers.ts";
import type { Address, ResourceKind } from "./address.ts";
import { forbidden, methodNotAllowed } from "./refusals.ts";

/** The kind of resource, and what is done with it. */
export type OperationKind =
  | "account.read"
  | "database.create"
  | "database.list"
  | "database.query"
  | "database.read"
  | "database.delete"
  | "container.create"
  | "container.list"
  | "container.query"
  | "container.read"
  | "container.replace"
  | "container.delete"
  | "item.create"
  | "item.upsert"
  | "item.read"
  | "item.replace"
  | "item.patch"
  | "item.delete"
  | "item.list"
  | "item.query"
  | "item.queryPlan"
  | "item.batch"
  | "item.bulk"
  | "item.changeFeed"
  | "item.deleteByPartitionKey"
  | "partitionKeyRange.list"
  | "storedProcedure.create"
  | "storedProcedure.upsert"
  | "storedProcedure.list"
  | "storedProcedure.query"
  | "storedProcedure.read"
  | "storedProcedure.replace"
  | "storedProcedure.delete"
  | "storedProcedure.execute"
  | "offer.list"
  | "offer.query"
  | "offer.read";

/** The meaning that the headers give to a verb. */
type Mode = "plain" | "query" | "queryPlan" | "batch" | "bulk" | "upsert" | "changeFeed";

/** Operations by a verb, or by a verb and a mode. */
type Verbs = Readonly<Record<string, OperationKind>>;

interface Operations {
  readonly feed: Verbs;
  readonly one: Verbs;
}

const OPERATIONS: Readonly<Partial<Record<ResourceKind, Operations>>> = {
  account: { feed: {}, one: { GET: "account.read" } },
  database: {
    feed: { POST: "database.create", GET: "database.list", "POST query": "database.query" },
    one: { GET: "database.read", DELETE: "database.delete" },
  },
  container: {
    feed: { POST: "container.create", GET: "container.list", "POST query": "container.query" },
    one: { GET: "container.read", PUT: "container.replace", DELETE: "container.delete" },
  },
  item: {
    feed: {
      POST: "item.create",
      GET: "item.list",
      "POST upsert": "item.upsert",
      "POST query": "item.query",
      "POST queryPlan": "item.queryPlan",
      "POST batch": "item.batch",
      "POST bulk": "item.bulk",
      "GET changeFeed": "item.changeFeed",
    },
    one: { GET: "item.read", PUT: "item.replace", PATCH: "item.patch", DELETE: "item.delete" },
  },
  partitionKeyOperation: { feed: {}, one: { POST: "item.deleteByPartitionKey" } },
  partitionKeyRange: {
    feed: { GET: "partitionKeyRange.list", "GET changeFeed": "partitionKeyRange.list" },
    one: {},
  },
  storedProcedure: {
    feed: {
      POST: "storedProcedure.create",
      GET: "storedProcedure.list",
      "POST upsert": "storedProcedure.upsert",
      "POST query": "storedProcedure.query",
    },
    one: {
      GET: "storedProcedure.read",
      PUT: "storedProcedure.replace",
      DELETE: "storedProcedure.delete",
      POST: "storedProcedure.execute",
    },
  },
  offer: {
    feed: { GET: "offer.list", "POST query": "offer.query" },
    one: { GET: "offer.read" },
  },
};

/** Resources of the service that this endpoint does not have. */
const NOT_IMPLEMENTED: Readonly<Partial<Record<ResourceKind, string>>> = {
  trigger: "Triggers",
  userDefinedFunction: "User-defined functions",
  conflict: "Conflicts",
  user: "Users",
  permission: "Permissions",
  clientEncryptionKey: "Client encryption keys",
};

/** The names of all kinds of operation. */
export const OPERATION_KINDS: ReadonlySet<string> = new Set(
  Object.values(OPERATIONS).flatMap(({ feed, one }) => [...Object.values(feed), ...Object.values(one)]),
);

/**
 * Names the operation of a request. Throws 501 for resources that this endpoint does not have, 405 for a verb that the
 * resource does not know, 403 for OPTIONS.
 */
export function operationKind(address: Address, method: string, headers: IncomingHttpHeaders): OperationKind {
  if (method === "OPTIONS")
    throw forbidden("OPTIONS is not served: pages of other sites may not call the endpoint.");
  refuseNotImplemented(address, method);
  const verbs = OPERATIONS[address.kind]?.[address.scope] ?? {};
  const mode = modeOf(method, headers);
  const operation = verbs[`${method} ${mode}`] ?? verbs[method];
  if (operation !== undefined) return operation;
  const known = [...new Set(Object.keys(verbs).map((key) => key.split(" ")[0] ?? ""))];
  const offered = known.length > 0 ? `it knows ${known.join(", ")}` : "this endpoint has no such resource";
  throw methodNotAllowed(
    `The verb ${method} is not supported on a ${address.scope === "feed" ? "feed" : "resource"} of kind ${address.kind}: ${offered}.`,
  );
}

function refuseNotImplemented({ kind, scope }: Address, method: string): void {
  const feature = NOT_IMPLEMENTED[kind];
  if (feature !== undefined) throw CosmosError.notImplemented(feature);
  if (kind === "offer" && scope === "one" && method === "PUT") {
    throw CosmosError.notImplemented("Changes of the throughput of a database or container");
  }
}

function modeOf(method: string, headers: IncomingHttpHeaders): Mode {
  if (method === "GET") return textHeader(headers, HEADER.changeFeed) === undefined ? "plain" : "changeFeed";
  if (method !== "POST") return "plain";
  if (flagHeader(headers, HEADER.queryPlan)) return "queryPlan";
  if (isQuery(headers)) return "query";
  if (flagHeader(headers, HEADER.batch)) return isBulk(headers) ? "bulk" : "batch";
  return flagHeader(headers, HEADER.upsert) ? "upsert" : "plain";
}

/**
 * Tells whether a request is a query. The type of the body decides: a body with that of a document is read as one,
 * although a header calls it a query.
 */
function isQuery(headers: IncomingHttpHeaders): boolean {
  const type = headers["content-type"] ?? "";
  if (/^application\/(query\+json|sql)\b/i.test(type)) return true;
  return flagHeader(headers, HEADER.query) === true && !/^application\/json\b/i.test(type);
}

/**
 * Tells whether a batch is a bulk request, in which each operation has a partition key of its own
 * (docs/reference/cosmos-protocol.md §1.7).
 */
function isBulk(headers: IncomingHttpHeaders): boolean {
  return headers[HEADER.partitionKey] === undefined && flagHeader(headers, HEADER.batchAtomic) !== true;
}

/**
 * Tells whether an operation works on the items of a container: it has a consistency and uses the container's
 * throughput.
 */
export function isAboutItems(operation: OperationKind): boolean {
  return operation.startsWith("item.") || operation === "storedProcedure.execute";
}

/** Tells whether an operation changes what is stored; faults may be restricted to one or the other. */
export function isWrite(operation: OperationKind): boolean {
  return WRITES.test(operation);
}

const WRITES = /\.(create|upsert|replace|patch|delete|deleteByPartitionKey|batch|bulk|execute)$/;
