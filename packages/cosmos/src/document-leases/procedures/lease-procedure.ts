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
    const document = rows[0].document;
    const nowMs = rows[0].nowMs;
    const decision = decide(request.action, readLease(document[request.property]), nowMs, request);
    if (decision.lease) return finish(document, decision.lease);
    const outcome = decision.outcome;
    if (outcome === "held") return answer({ outcome, document, nowMs });
    answer(outcome === "done" ? { outcome, document } : { outcome });
  });
  if (!accepted) answer({ outcome: "busy" });

  function finish(document, lease) {
    var accepted = write(document, lease, function (error, written) {
      answer(error ? { outcome: "failed", reason: reasonOf(error) } : { outcome: "done", document: written });
    });
    if (!accepted) answer({ outcome: "busy" });
  }
}`;
