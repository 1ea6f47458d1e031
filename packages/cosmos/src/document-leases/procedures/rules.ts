/**
 * The common part of both procedures: the rules of stored-lease.ts, and how a lease is written and an answer returned.
 * The rules are text, because they run in the service; ECMAScript 5 is enough for them.
 *
 * A procedure never throws, so that the leases that it wrote before a failure are kept and returned. It patches only
 * the lease: a replacement would pass the document through JavaScript, whose exact integers end at 2^53.
 */

/** The version of the answers. An answer without it is not from our procedure. */
export const ANSWER_VERSION = 1;

export const RULES: string = `
  var collection = getContext().getCollection();

  function answer(body) {
    body.version = ${ANSWER_VERSION};
    getContext().getResponse().setBody(body);
  }
  // Of a call of the collection. The client decides whether it may pass.
  function reasonOf(error) {
    return { status: error.number, message: String(error.message || error) };
  }
  function isWhole(value) {
    return typeof value === "number" && Math.floor(value) === value && Math.abs(value) <= 9007199254740991;
  }
  function kindOf(lease) {
    if (lease === undefined || lease === null) return "none";
    if (!isWhole(lease.token)) return "malformed";
    if (lease.holder === undefined) return "left";
    var times = isWhole(lease.acquiredAtMs) && isWhole(lease.durationMs) && isWhole(lease.expiresAtMs);
    return typeof lease.holder === "string" && times ? "held" : "malformed";
  }
  function isFree(lease, nowMs) {
    var kind = kindOf(lease);
    return kind === "held" ? lease.expiresAtMs <= nowMs : kind !== "malformed";
  }
  // A holder that renews in time keeps its token; any other token is larger than the one before.
  function nextLease(lease, nowMs) {
    var isRenewal = kindOf(lease) === "held" && lease.holder === request.holder && !isFree(lease, nowMs);
    var before = kindOf(lease) === "none" ? 0 : lease.token;
    return {
      holder: request.holder,
      token: isRenewal ? before : Math.max(before + 1, nowMs),
      acquiredAtMs: nowMs,
      durationMs: request.durationMs,
      expiresAtMs: nowMs + request.durationMs,
      attempt: request.attempt
    };
  }
  // What the callback gets is not documented for patches, so the lease is put where it is now.
  function write(document, lease, done) {
    var operation = { op: "set", path: "/" + request.property, value: lease };
    var options = { etag: document._etag };
    return collection.patchDocument(document._self, { operations: [operation] }, options, function (error, written) {
      var stored = written || document;
      stored[request.property] = lease;
      done(error, stored);
    });
  }`;
