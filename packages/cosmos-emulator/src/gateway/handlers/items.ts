/** Single items (docs/reference/cosmos-protocol.md §1.5). */
import type { Container, ItemOperation, ItemResult, Preconditions } from "../../engine/index.ts";
import { parsePatch } from "../../engine/index.ts";
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { parseJson } from "../../protocol/json-text.ts";
import { type Answer, emptyAnswer, textAnswer } from "../answers/answer.ts";
import { containerOf, type RequestContext } from "../context.ts";
import {
  containerHeaders,
  positionHeaders,
  replicaHeaders,
  writtenHeaders,
} from "../headers/container-headers.ts";
import { HEADER, textHeader } from "../headers/headers.ts";
import { quotaHeaders } from "../headers/quota-headers.ts";
import type { Address } from "../requests/address.ts";
import { bodyText, type GatewayRequest } from "../requests/request.ts";
import { partitionKeyOfRequest, touchedRanges } from "../requests/requested-scope.ts";
import { answeringReplica } from "../staleness.ts";

export function createItem(context: RequestContext): Answer {
  return write(context, () => ({ kind: "create", body: bodyText(context.request) }));
}

export function upsertItem(context: RequestContext): Answer {
  return write(context, () => ({ kind: "upsert", body: bodyText(context.request) }));
}

export function replaceItem(context: RequestContext): Answer {
  return write(context, (id) => ({ kind: "replace", id, body: bodyText(context.request) }));
}

export function patchItem(context: RequestContext): Answer {
  return write(context, (id) => ({
    kind: "patch",
    id,
    patch: parsePatch(parseJson(bodyText(context.request))),
  }));
}

export function deleteItem(context: RequestContext): Answer {
  return write(context, (id) => ({ kind: "delete", id }));
}

/** Deletes all items of a logical partition. The service does it in the background; here it is done at once. */
export function deleteByPartitionKey(context: RequestContext): Answer {
  const container = containerOf(context);
  const deleted = container.deletePartition(partitionKeyOfRequest(context.request));
  return textAnswer(200, "{}", deleted.charge, positionHeaders(container, deleted));
}

export function readItem(context: RequestContext): Answer {
  const { request, address } = context;
  const container = containerOf(context);
  const key = partitionKeyOfRequest(request);
  const operation = { kind: "read", id: itemIdOf(address, container), ...preconditions(request) } as const;
  const ranges = touchedRanges(container, { partitionKey: key ?? [] });
  const { writesBehind } = answeringReplica(context, container, ranges);
  const result = container.execute(key, operation, writesBehind);
  return itemAnswer(container, result, replicaHeaders(result));
}

function write(context: RequestContext, operationOf: (id: string) => ItemOperation): Answer {
  const { request, address } = context;
  refuseTriggers(request);
  const container = containerOf(context);
  const operation = { ...operationOf(itemIdOf(address, container)), ...preconditions(request) };
  const { body, ...result } = container.execute(partitionKeyOfRequest(request), operation);
  const isMinimal = body === undefined || wantsNoContent(request);
  return itemAnswer(container, isMinimal ? result : { ...result, body }, writtenHeaders(result));
}

function itemAnswer(
  container: Container,
  { status, body, charge, etag }: ItemResult,
  position: Readonly<Record<string, string>>,
): Answer {
  const headers = {
    ...containerHeaders(container),
    ...position,
    ...quotaHeaders(container),
    ...(etag === undefined ? {} : { etag }),
  };
  return body === undefined
    ? emptyAnswer(status, charge, headers)
    : textAnswer(status, body, charge, headers);
}

function preconditions({ headers }: GatewayRequest): Preconditions {
  const ifMatch = textHeader(headers, "if-match");
  const ifNoneMatch = textHeader(headers, "if-none-match");
  return {
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
  };
}

/** Tells whether the caller does not want back what it sent (`Prefer: return=minimal`). */
export function wantsNoContent({ headers }: GatewayRequest): boolean {
  return /\breturn=minimal\b/i.test(textHeader(headers, "prefer") ?? "");
}

/** Refuses requests that name a trigger: leaving it out silently would change what is written. */
function refuseTriggers({ headers }: GatewayRequest): void {
  const named = textHeader(headers, HEADER.preTrigger) ?? textHeader(headers, HEADER.postTrigger);
  if (named !== undefined && named !== "") throw CosmosError.notImplemented("Triggers");
}

/** Finds the id of the item in the path. A path that names the container by its `_rid` names the item so too. */
function itemIdOf(address: Address, container: Container): string {
  if (address.container !== container.rid || container.rid === container.id) return address.id;
  const id = container.itemIdOf(address.id);
  if (id === undefined)
    throw CosmosError.notFound(`The container has no item with the _rid ${address.id}.`, { charge: 1 });
  return id;
}
