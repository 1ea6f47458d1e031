/**
 * The common part of both procedures: the rules of stored-lease.ts, and how a lease is written and an answer returned.
 *
 * A procedure never throws, so that the leases that it wrote before a failure are kept and returned. It patches only
 * the lease: a replacement would pass the document through JavaScript, whose exact integers end at 2^53.
 */
import { RULES_TEXT } from "./rules-text.ts";

/** The version of the answers. An answer without it is not from our procedure. */
export const ANSWER_VERSION = 1;

export const RULES: string = `
${RULES_TEXT}
  var collection = getContext().getCollection();

  function answer(body) {
    body.version = ${ANSWER_VERSION};
    getContext().getResponse().setBody(body);
  }
  // Of a call of the collection. The client decides whether it may pass.
  function reasonOf(error) {
    return { status: error.number, message: String(error.message || error) };
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
