/** Reads of the throughput of databases and containers (docs/reference/cosmos-protocol.md §1.5). */
import type { Answer } from "../answers/answer.ts";
import { resourceFeed, resourceQuery, resourceRead } from "../answers/resource-answer.ts";
import type { RequestContext } from "../context.ts";

const FEED = "Offers";

export function listOffers({ engine, request }: RequestContext): Answer {
  return resourceFeed(request, FEED, "", engine.listOffers());
}

export function queryOffers({ engine, request }: RequestContext): Answer {
  return resourceQuery(request, FEED, "", (query) => engine.queryResources("offers", "", query));
}

export function readOffer({ engine, request, address }: RequestContext): Answer {
  return resourceRead(request, engine.readOffer(address.id));
}
