/**
 * JavaScript that runs inside the sandbox before a script and gives it `getContext()`: the part of the server-side API
 * that document leases use (docs/reference/cosmos-protocol.md §1.13). Text, because it is no part of this program. It
 * protects nothing: a script can spoil it for itself. What leads outside is `host`, and its implementation validates
 * every argument.
 *
 * This piece has the response, the queue and the order of things. Its value is a function of `host` (`accepting()`, and
 * `call(operation, argument)` between texts), the settings, and the value of the other piece. It returns what drives the
 * script: `start`, then `step` until that returns false, then `finish`; `describe` for whatever is thrown. Calls of the
 * collection wait in a queue, and each step makes one of them.
 */
export const SERVER_API: string = `"use strict";
(host, settingsText, makeCollection) => {
  const { parse, stringify } = JSON;
  const text = String;
  const PlainError = Error;
  const settings = parse(settingsText);

  const numbered = (number, message) => {
    const error = new PlainError(message);
    error.number = number;
    return error;
  };
  // The service has no shared memory either.
  delete globalThis.SharedArrayBuffer;
  globalThis.console = { log() {} };

  let first, last, sizeError;
  const enqueue = (work, callback) => {
    if (!host.accepting()) return false;
    const entry = { work, callback, next: undefined };
    if (first === undefined) first = entry;
    else last.next = entry;
    last = entry;
    return true;
  };
  const step = () => {
    if (first === undefined) return false;
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
    // Gives an object methods that say that the endpoint does not have them.
    refuse(owner, ...names) {
      for (const name of names) {
        owner[name] = () => {
          throw numbered(501, name + "() is not implemented by this endpoint.");
        };
      }
    },
    call(operation, argument) {
      const answer = parse(host.call(operation, argument));
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

  let body = "";
  const response = { setBody(value) { body = value; } };
  tools.refuse(response, "getBody", "appendBody", "getValue", "setValue", "appendValue");
  const collection = makeCollection(settings, tools);
  const context = { getCollection: () => collection, getResponse: () => response };
  tools.refuse(context, "getRequest", "abort");
  globalThis.getContext = () => context;

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
    finish() {
      const result = stringify(body) ?? "null";
      if (result.length <= settings.maxResponseLength) return result;
      sizeError = numbered(413, "The script makes its response too large. " +
        "Let it return less, or a continuation with which to call it again.");
      throw sizeError;
    },
    describe,
  };
}`;
