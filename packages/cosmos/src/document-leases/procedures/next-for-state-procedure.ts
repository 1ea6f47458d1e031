/**
 * `nextForState`: leases the next documents of one partition. It stops before its time, its request units or the size
 * of its answer run out, and returns whether there may be more, and from where to continue.
 */
import type { SqlQuerySpec } from "@azure/cosmos";
import { RULES } from "./rules.ts";

export interface NextRequest {
  /** Finds documents that can be leased; its rows are `Row`s of lease-queries.ts. */
  readonly query: SqlQuerySpec;
  /** Continuation from an earlier answer. */
  readonly continuation?: string;
  /** After a lost response: finds the documents that the same request leased. */
  readonly recover?: SqlQuerySpec;
  readonly property: string;
  readonly limit: number;
  readonly holder: string;
  readonly durationMs: number;
  readonly attempt: string;
}

/**
 * The most characters of the documents in an answer, as JSON. A character takes up to three bytes, and a response is
 * limited to 2 MB (docs/reference/cosmos-protocol.md §3.1).
 */
const MOST_CHARACTERS = 500_000;

export const NEXT_FOR_STATE_PROCEDURE: string = `function nextForState(request) {${RULES}

  var leased = [];
  var characters = 0;
  if (request.recover) recover();
  else page(request.continuation);

  function stop(more, continuation, error) {
    var reason = error ? reasonOf(error) : undefined;
    answer({ outcome: "next", leased: leased, more: more, continuation: continuation, reason: reason });
  }
  function recover() {
    var accepted = collection.queryDocuments(collection.getSelfLink(), request.recover, { pageSize: request.limit }, found);
    if (!accepted) stop(true, request.continuation);
    function found(error, rows) {
      if (error) return stop(true, request.continuation, error);
      for (var index = 0; index < rows.length; index++) leased.push(rows[index].document);
      if (leased.length > 0) stop(true, request.continuation);
      else page(request.continuation);
    }
  }
  function page(continuation) {
    var options = { pageSize: request.limit - leased.length, continuation: continuation };
    var accepted = collection.queryDocuments(collection.getSelfLink(), request.query, options, function (error, rows, more) {
      if (error) return stop(true, continuation, error);
      leaseFrom(0);

      function leaseFrom(index) {
        if (leased.length === request.limit) return stop(true, continuation);
        if (index === rows.length) return more.continuation ? page(more.continuation) : stop(false);
        var row = rows[index];
        const stored = readLease(row.document[request.property]);
        if (!isFree(stored, row.nowMs)) return leaseFrom(index + 1);
        characters += JSON.stringify(row.document).length;
        if (leased.length > 0 && characters > ${MOST_CHARACTERS}) return stop(true, continuation);
        const lease = nextLease(stored, row.nowMs, request);
        var accepted = write(row.document, lease, function (error, written) {
          if (error) return stop(true, continuation, error);
          leased.push(written);
          leaseFrom(index + 1);
        });
        if (!accepted) stop(true, continuation);
      }
    });
    if (!accepted) stop(true, continuation);
  }
}`;
