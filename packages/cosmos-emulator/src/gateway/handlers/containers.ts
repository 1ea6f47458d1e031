import { type Answer, emptyAnswer } from "../answer.ts";
import { containerHeaders } from "../container-headers.ts";
import { containerOf, type RequestContext } from "../context.ts";
import { flagHeader, HEADER } from "../headers.ts";
import {
  RESOURCE_WRITE_CHARGE,
  resourceAnswer,
  resourceBody,
  resourceFeed,
  resourceRead,
} from "../resource-answer.ts";
import { resourceQuery } from "../resource-query.ts";
import { throughputOfRequest } from "../throughput-headers.ts";

const FEED = "DocumentCollections";

/** Kilobytes, as the service answers them for a container without limits of its own. */
const QUOTA = "documentSize=10240;documentsSize=10485760;documentsCount=-1;collectionSize=10485760;";

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
  const headers = containerHeaders(containerOf(context));
  const wantsQuota = flagHeader(request.headers, HEADER.wantQuota) === true;
  return resourceRead(request, resource, wantsQuota ? { ...headers, ...quotaHeaders(context) } : headers);
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

function quotaHeaders(context: RequestContext): Record<string, string> {
  const { items, bytes } = containerOf(context).usage();
  const kilobytes = Math.ceil(bytes / 1024);
  return {
    [HEADER.quota]: QUOTA,
    [HEADER.usage]: `documentSize=0;documentsSize=${kilobytes};documentsCount=${items};collectionSize=${kilobytes};`,
  };
}
