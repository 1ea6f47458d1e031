/** The physical partitions of a container (docs/reference/cosmos-protocol.md §1.9). */
import { type PartitionKeyRange, RESOURCE_READ_CHARGE } from "../../engine/index.ts";
import type { JsonValue } from "../../protocol/json.ts";
import { parseDocument, writeJson } from "../../protocol/json-text.ts";
import { type Answer, emptyAnswer } from "../answers/answer.ts";
import { feedAnswer } from "../answers/feed-answer.ts";
import { containerOf, type RequestContext } from "../context.ts";
import { rangesHeaders } from "../headers/container-headers.ts";
import { textHeader } from "../headers/headers.ts";

/** Lists the ranges. A client that has read them since the last split or merge gets "not modified". */
export function listPartitionKeyRanges(context: RequestContext): Answer {
  const { engine, request, address } = context;
  const container = containerOf(context);
  const { body, etag: containerTag } = engine.readContainer(address.database, address.container);
  const ranges = container.partitionKeyRanges();
  const etag = etagOf(containerTag, ranges);
  const headers = { ...rangesHeaders(container, ranges), etag };
  if (textHeader(request.headers, "if-none-match") === etag)
    return emptyAnswer(304, RESOURCE_READ_CHARGE, headers);
  const { _ts: timestamp = 0 } = parseDocument(body);
  const rows = ranges.map(({ id, rid, minInclusive, maxExclusive, parents, lsn }, index): JsonValue => {
    const identity = { _rid: rid, id, _etag: etag, minInclusive, maxExclusive, ridPrefix: index };
    const state = {
      throughputFraction: 1 / ranges.length,
      status: "online",
      parents: [...parents],
      ownedArchivalPKRangeIds: [],
    };
    return { ...identity, _self: `${container.self}pkranges/${rid}/`, ...state, _ts: timestamp, lsn };
  });
  const feed = { name: "PartitionKeyRanges", rid: container.rid, rows: rows.map(writeJson) };
  return feedAnswer({ ...feed, charge: RESOURCE_READ_CHARGE }, headers);
}

/** Changes with every split and merge: the ids of new partitions are greater than all before. */
function etagOf(containerTag: string, ranges: readonly PartitionKeyRange[]): string {
  const newest = Math.max(...ranges.map(({ id }) => Number(id)));
  return containerTag.replace(/"$/, `-${newest}"`);
}
