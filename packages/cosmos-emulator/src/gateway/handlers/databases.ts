import { type Answer, emptyAnswer } from "../answers/answer.ts";
import {
  RESOURCE_WRITE_CHARGE,
  resourceAnswer,
  resourceBody,
  resourceFeed,
  resourceQuery,
  resourceRead,
} from "../answers/resource-answer.ts";
import type { RequestContext } from "../context.ts";
import { throughputOfRequest } from "../requests/throughput-headers.ts";

const FEED = "Databases";

export function createDatabase({ engine, request }: RequestContext): Answer {
  const database = engine.createDatabase(resourceBody(request), throughputOfRequest(request));
  return resourceAnswer(201, database, RESOURCE_WRITE_CHARGE);
}

export function listDatabases({ engine, request }: RequestContext): Answer {
  return resourceFeed(request, FEED, "", engine.listDatabases());
}

export function queryDatabases({ engine, request }: RequestContext): Answer {
  return resourceQuery(request, FEED, "", (query) => engine.queryResources("dbs", "", query));
}

export function readDatabase({ engine, request, address }: RequestContext): Answer {
  return resourceRead(request, engine.readDatabase(address.database));
}

export function deleteDatabase({ engine, address }: RequestContext): Answer {
  engine.deleteDatabase(address.database);
  return emptyAnswer(204, RESOURCE_WRITE_CHARGE);
}
