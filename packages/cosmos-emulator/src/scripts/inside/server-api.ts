/**
 * JavaScript that runs inside the sandbox before a script and gives it the server-side API: `getContext()`, `__`,
 * `console`, errors with numbers (docs/reference/cosmos-protocol.md §1.13). Text, because it is no part of this
 * program, in four pieces. It protects nothing: a script can spoil it for itself. What leads outside is `host`, and
 * its implementation validates every argument.
 *
 * This piece has the errors, the queue and the order of things. Its value is a function of `host` (`accepting()`,
 * and `call(operation, argument, body)` between texts), the settings, and the values of the other pieces. It returns
 * what drives the script: `start`, then `step` until that returns false, then `aborted` and `finish`; `describe`
 * for whatever is thrown. Calls of the collection wait in a queue, and each step makes one of them.
 */
export const SERVER_API: string = `"use strict";
(host, settingsText, makeCollection, addQueryHelpers, makeResponse) => {
  const { parse, stringify } = JSON;
  const { setPrototypeOf } = Object;
  const text = String;
  const PlainError = Error;
  const settings = parse(settingsText);

  const numbered = (number, message) => {
    const error = new PlainError(message);
    error.number = number;
    return error;
  };
  // new Error(number, message), as in the engine of the service.
  const newError = (args, target) => {
    const isNumbered = typeof args[0] === "number" && args.length > 1;
    const error = isNumbered ? numbered(args[0], args[1]) : new PlainError(...args);
    return setPrototypeOf(error, target.prototype);
  };
  globalThis.Error = new Proxy(PlainError, {
    apply: (_, self, args) => newError(args, PlainError),
    construct: (_, args, target) => newError(args, target),
  });
  PlainError.prototype.constructor = globalThis.Error;
  globalThis.ErrorCodes = Object.freeze({
    BadRequest: 400, Forbidden: 403, NotFound: 404, Conflict: 409, PreconditionFailed: 412,
    RequestEntityTooLarge: 413, RetryWith: 449, InternalServerError: 500,
  });
  // The service has no shared memory either.
  delete globalThis.SharedArrayBuffer;

  let first, last, aborted, sizeError;
  const enqueue = (work, callback) => {
    if (!host.accepting()) return false;
    const entry = { work, callback, next: undefined };
    if (first === undefined) first = entry;
    else last.next = entry;
    last = entry;
    return true;
  };
  const step = () => {
    if (aborted !== undefined || first === undefined) return false;
    const { work, callback, next } = first;
    first = next;
    let results;
    try {
      results = work();
    } catch (error) {
      if (callback === undefined) throw error;
      callback(error);
      return true;
    }
    if (callback !== undefined) callback(undefined, ...results);
    return true;
  };

  const tools = {
    enqueue,
    badRequest: (message) => numbered(400, message),
    checkSize(what, length, maxLength) {
      if (length <= maxLength) return;
      sizeError = numbered(413, 'The script makes its "' + what + '" too large. ' +
        "Let it return less, or a continuation with which to call it again.");
      throw sizeError;
    },
    call(operation, argument, body) {
      const answer = parse(host.call(operation, argument, body));
      if (!answer.failed) return answer;
      const error = numbered(answer.number, answer.body);
      error.body = answer.body;
      throw error;
    },
    // What follows the required arguments of a method: (options, callback), (callback), or nothing.
    optionsAndCallback(options, callback) {
      if (callback === undefined && typeof options === "function") return [{}, options];
      if (options !== undefined && typeof options !== "object") {
        throw tools.badRequest('The "options" parameter must be an object, not a ' + typeof options + ".");
      }
      if (callback !== undefined && callback !== null && typeof callback !== "function") {
        throw tools.badRequest('The "callback" parameter must be a function, not a ' + typeof callback + ".");
      }
      return [options ?? {}, callback ?? undefined];
    },
  };

  const collection = makeCollection(settings, tools);
  const { request, response, finish } = makeResponse(settings, tools);
  addQueryHelpers(collection, response, tools);
  const context = {
    getCollection: () => collection,
    getRequest: () => request,
    getResponse: () => response,
    abort(error) {
      aborted ??= { error };
      throw error;
    },
  };
  globalThis.getContext = () => context;
  globalThis.__ = Object.assign(Object.create(collection), { request, response });

  const MAX_TEXT = 65536;
  const textOf = (error) => {
    if (error === null) return "null (thrown by the script, or by an interpreter without memory for an error)";
    return error instanceof PlainError || typeof error !== "object" ? text(error) : (stringify(error) ?? text(error));
  };
  const describe = (error) => {
    let shown = "an exception that cannot be shown";
    let stack, number;
    try {
      shown = textOf(error);
      if (error instanceof PlainError) ({ stack, number } = error);
    } catch {}
    return stringify({
      text: shown.slice(0, MAX_TEXT),
      stack: typeof stack === "string" ? stack.slice(0, MAX_TEXT) : "",
      number: Number.isSafeInteger(number) ? number : undefined,
      tooLarge: error !== undefined && error === sizeError,
    });
  };
  return {
    start(main) { main(...parse(settings.argumentsText)); },
    step,
    // An abort counts even where the script caught what abort threw, or a promise swallowed it.
    aborted: () => (aborted === undefined ? "" : describe(aborted.error)),
    finish,
    describe,
  };
}`;
