/**
 * The sandbox's collection object: methods that check their links, take a snapshot of their arguments and queue a
 * call. Links that lead elsewhere are refused here, at once, and what goes outside names no container at all.
 */
export const COLLECTION_API: string = `"use strict";
(settings, { enqueue, call, badRequest, optionsAndCallback }) => {
  const { parse, stringify } = JSON;
  const { floor, random } = Math;

  const withoutSlash = (link) => (link.endsWith("/") ? link.slice(0, -1) : link);
  const selfLink = withoutSlash(settings.selfLink);
  const altLink = withoutSlash(settings.altLink);
  const notHere = (link) => badRequest("The link " + stringify(String(link)) + " does not belong to this container. " +
    "Use getSelfLink() or getAltLink(), and for documents their _self.");
  const checkContainer = (link) => {
    const own = typeof link === "string" && (withoutSlash(link) === selfLink || withoutSlash(link) === altLink);
    if (!own) throw notHere(link);
  };
  const nameBelow = (container, link) => {
    const start = container + "/docs/";
    return typeof link === "string" && link.startsWith(start) ? withoutSlash(link.slice(start.length)) : "";
  };
  const referenceOf = (link) => {
    const rid = nameBelow(selfLink, link);
    if (rid !== "") return { rid };
    const id = nameBelow(altLink, link);
    if (id !== "") return { id };
    throw notHere(link);
  };

  const bodyOf = (value) => {
    if (typeof value === "string") return value;
    const body = typeof value === "object" && value !== null ? stringify(value) : undefined;
    if (body === undefined) throw badRequest("The document must be an object, or a string with its JSON.");
    return body;
  };
  const hex = (digits) => (digits === 0 ? "" : floor(random() * 16).toString(16) + hex(digits - 1));
  const newId = () => hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12);
  const bodyWithId = (value, options) => {
    const body = bodyOf(value);
    if (options.disableAutomaticIdGeneration === true) return body;
    const document = typeof value === "string" ? parse(value) : value;
    return document.id ? body : stringify({ ...document, id: newId() });
  };

  const feed = (operation, query, options, callback) => {
    const { pageSize = 100, continuation } = options;
    const argument = stringify({ ...query, pageSize, continuation });
    return enqueue(() => {
      const answer = call(operation, argument, "");
      return [answer.rows, { continuation: answer.continuation }];
    }, callback);
  };
  const write = (operation, reference, body, options, callback) => {
    const argument = stringify({ ...reference, etag: options.etag });
    return enqueue(() => [call(operation, argument, body).document, {}], callback);
  };

  return {
    getSelfLink: () => settings.selfLink,
    getAltLink: () => settings.altLink,
    readDocument(link, ...rest) {
      const [{ ifNoneMatch }, callback] = optionsAndCallback(...rest);
      const argument = stringify(referenceOf(link));
      return enqueue(() => {
        const { document } = call("read", argument, "");
        return document._etag === ifNoneMatch ? [undefined, { notModified: true }] : [document, {}];
      }, callback);
    },
    readDocuments(link, ...rest) {
      checkContainer(link);
      return feed("readFeed", {}, ...optionsAndCallback(...rest));
    },
    queryDocuments(link, filter, ...rest) {
      checkContainer(link);
      const { query, parameters } = typeof filter === "object" && filter !== null ? filter : { query: filter };
      return feed("query", { query, parameters }, ...optionsAndCallback(...rest));
    },
    createDocument(link, document, ...rest) {
      checkContainer(link);
      const [options, callback] = optionsAndCallback(...rest);
      return write("create", {}, bodyWithId(document, options), {}, callback);
    },
    upsertDocument(link, document, ...rest) {
      checkContainer(link);
      const [options, callback] = optionsAndCallback(...rest);
      return write("upsert", {}, bodyWithId(document, options), options, callback);
    },
    replaceDocument: (link, document, ...rest) =>
      write("replace", referenceOf(link), bodyOf(document), ...optionsAndCallback(...rest)),
    patchDocument: (link, patch, ...rest) =>
      write("patch", referenceOf(link), bodyOf(patch), ...optionsAndCallback(...rest)),
    deleteDocument(link, ...rest) {
      const [{ etag }, callback] = optionsAndCallback(...rest);
      const argument = stringify({ ...referenceOf(link), etag });
      return enqueue(() => {
        call("delete", argument, "");
        return [{}];
      }, callback);
    },
  };
}`;
