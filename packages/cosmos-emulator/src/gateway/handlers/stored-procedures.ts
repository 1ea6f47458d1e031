/** Stored procedures as resources: created, listed, read, replaced, deleted. execute-procedure.ts runs them. */
import { type Answer, emptyAnswer } from "../answers/answer.ts";
import {
  RESOURCE_WRITE_CHARGE,
  resourceAnswer,
  resourceBody,
  resourceFeed,
  resourceQuery,
  resourceRead,
} from "../answers/resource-answer.ts";
import { containerOf, type RequestContext } from "../context.ts";
import { containerHeaders } from "../headers/container-headers.ts";
import { textHeader } from "../headers/headers.ts";

const FEED = "StoredProcedures";

export function createProcedure(context: RequestContext): Answer {
  const container = containerOf(context);
  const created = container.storedProcedures.create(resourceBody(context.request));
  return resourceAnswer(201, created, RESOURCE_WRITE_CHARGE, containerHeaders(container));
}

export function upsertProcedure(context: RequestContext): Answer {
  const container = containerOf(context);
  const { resource, isNew } = container.storedProcedures.upsert(resourceBody(context.request));
  return resourceAnswer(isNew ? 201 : 200, resource, RESOURCE_WRITE_CHARGE, containerHeaders(container));
}

export function listProcedures(context: RequestContext): Answer {
  const container = containerOf(context);
  return resourceFeed(context.request, FEED, container.rid, container.storedProcedures.list());
}

export function queryProcedures(context: RequestContext): Answer {
  const container = containerOf(context);
  return resourceQuery(context.request, FEED, container.rid, (query) =>
    container.storedProcedures.query(query),
  );
}

export function readProcedure(context: RequestContext): Answer {
  const container = containerOf(context);
  const procedure = container.storedProcedures.read(context.address.id);
  return resourceRead(context.request, procedure, containerHeaders(container));
}

export function replaceProcedure(context: RequestContext): Answer {
  const { request, address } = context;
  const container = containerOf(context);
  const ifMatch = textHeader(request.headers, "if-match");
  const replaced = container.storedProcedures.replace(address.id, resourceBody(request), ifMatch);
  return resourceAnswer(200, replaced, RESOURCE_WRITE_CHARGE, containerHeaders(container));
}

export function deleteProcedure(context: RequestContext): Answer {
  const container = containerOf(context);
  container.storedProcedures.remove(context.address.id, textHeader(context.request.headers, "if-match"));
  return emptyAnswer(204, RESOURCE_WRITE_CHARGE, containerHeaders(container));
}
