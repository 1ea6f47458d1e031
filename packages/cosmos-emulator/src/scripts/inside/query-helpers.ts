/**
 * The sandbox's query helpers: `filter`, `map`, `pluck`, `flatten`, `sortBy`, `unwind`, alone or in `chain()…value()`.
 * The service translates some of them to queries; here they run on all documents of the partition, and pages are cut
 * from the result, so that a page means the same on both sides.
 */
export const QUERY_HELPERS: string = `"use strict";
(collection, response, { enqueue, call, badRequest, optionsAndCallback }) => {
  const { stringify } = JSON;
  const compare = (left, right) => (left < right ? -1 : left > right ? 1 : 0);
  const checkFunction = (name, value) => {
    if (typeof value !== "function") throw badRequest("The function " + name + "() needs a function as its argument.");
  };
  const onEach = (name, apply) => (callback) => {
    checkFunction(name, callback);
    return { used: 1, apply: (rows) => apply(rows, (row) => callback(row)) };
  };
  const sorted = (rows, keyOf, direction) =>
    rows.map((row) => ({ row, key: keyOf(row) }))
      .sort((left, right) => direction * compare(left.key, right.key))
      .map(({ row }) => row);
  const pairsOf = (rows, collectionOf, resultOf) =>
    rows.flatMap((row) => {
      const inner = collectionOf(row) ?? [];
      return resultOf === undefined ? inner : inner.map((item) => resultOf(row, item));
    });

  // Each stage takes the arguments of its method, and says how many it used: options and callback may follow.
  const stages = {
    filter: onEach("filter", (rows, predicate) => rows.filter(predicate)),
    map: onEach("map", (rows, project) => rows.map(project)),
    sortBy: onEach("sortBy", (rows, keyOf) => sorted(rows, keyOf, 1)),
    sortByDescending: onEach("sortByDescending", (rows, keyOf) => sorted(rows, keyOf, -1)),
    pluck(name) {
      if (typeof name !== "string" || name === "") throw badRequest("The property name of pluck() must be a string.");
      return { used: 1, apply: (rows) => rows.map((row) => row[name]) };
    },
    flatten(isShallow) {
      const used = typeof isShallow === "boolean" ? 1 : 0;
      return { used, apply: (rows) => rows.flat(isShallow === true ? 1 : Infinity) };
    },
    unwind(collectionOf, resultOf) {
      checkFunction("unwind", collectionOf);
      const hasResult = typeof resultOf === "function";
      const apply = (rows) => pairsOf(rows, collectionOf, hasResult ? resultOf : undefined);
      return { used: hasResult ? 2 : 1, apply };
    },
  };

  const allDocuments = () => {
    let all = [];
    let continuation;
    do {
      const page = call("readFeed", stringify({ pageSize: -1, continuation }), "");
      all = all.concat(page.rows);
      continuation = page.continuation;
    } while (continuation !== undefined);
    return all;
  };
  const intoResponse = (error, rows) => {
    if (error !== undefined) throw error;
    if (response.getBody() === "") response.setBody(rows);
    else response.appendBody(stringify(rows));
  };
  const value = (applied, ...rest) => {
    const [{ pageSize = 100, continuation = "0" }, callback = intoResponse] = optionsAndCallback(...rest);
    const from = Number(continuation);
    const to = pageSize === -1 ? Infinity : from + pageSize;
    const isAccepted = enqueue(() => {
      const rows = applied.reduce((rows, apply) => apply(rows), allDocuments());
      return [rows.slice(from, to), { continuation: to < rows.length ? String(to) : undefined }];
    }, callback);
    return { isAccepted };
  };

  // The container itself may come first, and means nothing: there is no other.
  const withoutCollection = ([head, ...tail]) =>
    head === undefined || head === collection || head === globalThis.__ ? tail : [head, ...tail];
  const chain = (applied) => {
    const chained = { isAccepted: true, value: (...rest) => value(applied, ...rest) };
    for (const name of Object.keys(stages)) {
      chained[name] = (...args) => chain([...applied, stages[name](...withoutCollection(args)).apply]);
    }
    return chained;
  };
  for (const name of Object.keys(stages)) {
    collection[name] = (...args) => {
      const own = withoutCollection(args);
      const { used, apply } = stages[name](...own);
      return value([apply], ...own.slice(used));
    };
  }
  collection.chain = () => chain([]);
}`;
