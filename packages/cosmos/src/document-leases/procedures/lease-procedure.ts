/** `lease`: acquires the lease of one document, or breaks it. */
import type { SqlQuerySpec } from "@azure/cosmos";
import { RULES } from "./rules.ts";

export interface LeaseRequest {
  readonly action: "acquire" | "break";
  /** Finds the document; its rows are `Row`s of lease-queries.ts. */
  readonly query: SqlQuerySpec;
  readonly property: string;
  readonly holder: string;
  readonly durationMs: number;
  readonly attempt: string;
}

export const LEASE_PROCEDURE: string = `function lease(request) {${RULES}

  var accepted = collection.queryDocuments(collection.getSelfLink(), request.query, {}, function (error, rows) {
    if (error) return answer({ outcome: "failed", reason: reasonOf(error) });
    if (rows.length === 0) return answer({ outcome: "missing" });
    var document = rows[0].document;
    var stored = document[request.property];
    if (kindOf(stored) === "malformed") return answer({ outcome: "malformed" });
    var isMine = kindOf(stored) === "held" && stored.holder === request.holder;
    if (!isMine && !isFree(stored, rows[0].nowMs)) {
      return answer({ outcome: "held", document: document, nowMs: rows[0].nowMs });
    }
    if (request.action === "acquire") return finish(document, nextLease(stored, rows[0].nowMs));
    if (isMine) return finish(document, { token: stored.token, attempt: request.attempt });
    // A first attempt, whose answer was lost, may have given the lease back.
    var isDone = kindOf(stored) === "left" && stored.attempt === request.attempt;
    answer(isDone ? { outcome: "done", document: document } : { outcome: "not-held" });
  });
  if (!accepted) answer({ outcome: "busy" });

  function finish(document, lease) {
    var accepted = write(document, lease, function (error, written) {
      answer(error ? { outcome: "failed", reason: reasonOf(error) } : { outcome: "done", document: written });
    });
    if (!accepted) answer({ outcome: "busy" });
  }
}`;
