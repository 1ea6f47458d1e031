/**
 * The sandbox's collection object: reads, queries and patches, whose methods check their links, take a snapshot of their
 * arguments and queue a call. Links that lead elsewhere are refused at once, and what goes outside names no container.
 */
export const COLLECTION_API: string = `"use strict";
(settings, { enqueue, call, badRequest, optionsAndCallback, refuse }) => {
  const { stringify } = JSON;

  const withoutSlash = (link) => (link.endsWith("/") ? link.slice(0, -1) : link);
  const selfLink = withoutSlash(settings.selfLink);
  const altLink = withoutSlash(settings.altLink);
  const notHere = (link) => badRequest("The link " + stringify(String(link)) + " does not belong to this container. " +
    "Use getSelfLink() or getAltLink(), and for documents their _self.");
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

  const collection = {
    getSelfLink: () => settings.selfLink,
    getAltLink: () => settings.altLink,
    readDocument(link, ...rest) {
      const [, callback] = optionsAndCallback(...rest);
      const argument = stringify(referenceOf(link));
      return enqueue(() => [call("read", argument).document, {}], callback);
    },
    queryDocuments(link, filter, ...rest) {
      const own = typeof link === "string" && (withoutSlash(link) === selfLink || withoutSlash(link) === altLink);
      if (!own) throw notHere(link);
      const { query, parameters } = typeof filter === "object" && filter !== null ? filter : { query: filter };
      const [{ pageSize = 100, continuation }, callback] = optionsAndCallback(...rest);
      const argument = stringify({ query, parameters, pageSize, continuation });
      return enqueue(() => {
        const answer = call("query", argument);
        return [answer.rows, { continuation: answer.continuation }];
      }, callback);
    },
    patchDocument(link, patch, ...rest) {
      const [{ etag }, callback] = optionsAndCallback(...rest);
      const argument = stringify({ ...referenceOf(link), etag, patch });
      return enqueue(() => [call("patch", argument).document, {}], callback);
    },
  };
  refuse(collection, "createDocument", "upsertDocument", "replaceDocument", "deleteDocument", "readDocuments");
  return collection;
}`;
