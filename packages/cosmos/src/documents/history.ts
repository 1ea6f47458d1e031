/** Histories as stored documents. */
import type { HistoryEvent } from "@duroxide-ts/core";
import { decodeEvent } from "@duroxide-ts/core/stores";
import type { Body, Stored } from "./body.ts";
import { decodeDocument } from "./documents.ts";
import { historyDocumentId } from "./ids.ts";

/** Throws a WireError. */
export function toEvents(documents: readonly Stored[]): readonly HistoryEvent[] {
  return documents
    .map((document) => decodeDocument("history", document))
    .sort((a, b) => Number(a.eventId) - Number(b.eventId))
    .map(({ eventData }) => decodeEvent(eventData));
}

export interface EventRow {
  readonly eventId: number;
  readonly text: string;
  readonly event: HistoryEvent;
}

export interface HistoryBody extends Body {
  readonly id: string;
  readonly executionId: number;
  readonly eventId: number;
}

export function eventBody(instanceId: string, executionId: number, { eventId, text }: EventRow): HistoryBody {
  return {
    id: historyDocumentId(instanceId, executionId, eventId),
    instanceId,
    type: "history",
    executionId,
    eventId,
    eventData: text,
  };
}
