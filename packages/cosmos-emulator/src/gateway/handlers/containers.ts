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
import { flagHeader, HEADER } from "../headers/headers.ts";
import { quotaHeaders } from "../headers/quota-headers.ts";
import { throughputOfRequest } from "../requests/throughput-headers.ts";

const FEED = "DocumentCollections";

export function createContainer({ engine, request, address }: RequestContext): Answer {
  const created = engine.createContainer(
    address.database,
    resourceBody(request),
    throughputOfRequest(request),
  );
  const headers = containerHeaders(engine.container(address.database, created.id));
  return resourceAnswer(201, created, RESOURCE_WRITE_CHARGE, headers);
}

export function listContainers({ engine, request, address }: RequestContext): Answer {
  const containers = engine.listContainers(address.database);
  return resourceFeed(request, FEED, engine.readDatabase(address.database).rid, containers);
}

export function queryContainers({ engine, request, address }: RequestContext): Answer {
  const { rid } = engine.readDatabase(address.database);
  return resourceQuery(request, FEED, rid, (query) => engine.queryResources("colls", rid, query));
}

export function readContainer(context: RequestContext): Answer {
  const { engine, request, address } = context;
  const resource = engine.readContainer(address.database, address.container);
  const container = containerOf(context);
  const wantsQuota = flagHeader(request.headers, HEADER.wantQuota) === true;
  return resourceRead(request, resource, {
    ...containerHeaders(container),
    ...(wantsQuota && quotaHeaders(container)),
  });
}

export function replaceContainer(context: RequestContext): Answer {
  const { engine, request, address } = context;
  const replaced = engine.replaceContainer(address.database, address.container, resourceBody(request));
  return resourceAnswer(200, replaced, RESOURCE_WRITE_CHARGE, containerHeaders(containerOf(context)));
}

export function deleteContainer({ engine, address }: RequestContext): Answer {
  engine.deleteContainer(address.database, address.container);
  return emptyAnswer(204, RESOURCE_WRITE_CHARGE);
}
