/** A lease on a document, as a queue keeps it: what stored procedures are mostly written for. */
import { beforeEach, describe, expect, it } from "vitest";
import { FakeCollection } from "./support/fake-collection.ts";
import { errorText, scriptRunner } from "./support/script-runner.ts";

const { run, failureOf } = scriptRunner();

const ACQUIRE = `function acquire(id, owner, nowMs, leaseMs) {
  var collection = getContext().getCollection();
  var link = collection.getAltLink() + "/docs/" + id;
  var accepted = collection.readDocument(link, {}, function (error, job) {
    if (error) throw error;
    if (job.owner !== null && job.leasedUntil > nowMs) throw new Error(409, "held by " + job.owner);
    job.owner = owner;
    job.leasedUntil = nowMs + leaseMs;
    job.attempts = (job.attempts || 0) + 1;
    var replaced = collection.replaceDocument(job._self, job, { etag: job._etag }, function (error, stored) {
      if (error) throw error;
      getContext().getResponse().setBody({ attempts: stored.attempts, etag: stored._etag });
    });
    if (!replaced) throw new Error(449, "out of time");
  });
  if (!accepted) throw new Error(449, "out of time");
}`;

const LEASE_ALL = `function leaseAll(owner, nowMs, leaseMs) {
  var collection = getContext().getCollection();
  var response = getContext().getResponse();
  var leased = [];
  var query = { query: "SELECT * FROM c WHERE c.state = @state", parameters: [{ name: "@state", value: "ready" }] };
  if (!collection.queryDocuments(collection.getSelfLink(), query, { pageSize: -1 }, lease)) respond();
  function lease(error, jobs) {
    if (error) throw error;
    next(0);
    function next(index) {
      respond();
      if (index === jobs.length) return;
      var job = jobs[index];
      job.state = "leased";
      job.owner = owner;
      job.leasedUntil = nowMs + leaseMs;
      collection.replaceDocument(job._self, job, { etag: job._etag }, function (error) {
        if (error) throw error;
        leased.push(job.id);
        next(index + 1);
      });
    }
  }
  function respond() { response.setBody(leased); }
}`;

let collection: FakeCollection;
beforeEach(() => {
  collection = new FakeCollection();
});

describe("a lease by stored procedure", () => {
  it("is given to one owner, refused to the next, and given again when it has run out", () => {
    collection.create('{"id":"job","owner":null}');
    expect(run(ACQUIRE, { collection, args: ["job", "ann", 1000, 500] }).body).toMatchObject({ attempts: 1 });

    const refused = failureOf(ACQUIRE, { collection, args: ["job", "bob", 1200, 500] });
    expect(refused).toMatchObject({ status: 400, substatus: 409 });
    expect(errorText(refused)).toContain("held by ann");

    expect(run(ACQUIRE, { collection, args: ["job", "bob", 1500, 500] }).body).toMatchObject({ attempts: 2 });
    expect(collection.documents).toMatchObject([{ owner: "bob", leasedUntil: 2000 }]);
  });

  it("says that there is no such document", () => {
    const error = failureOf(ACQUIRE, { collection, args: ["none", "ann", 0, 1] });
    expect(error).toMatchObject({ status: 400, substatus: 404 });
  });

  it("is lost to a write that comes between its read and its replace", () => {
    collection.create('{"id":"job","owner":null}');
    let reads = 0;
    collection.beforeCall = (operation) => {
      if (operation === "replace" && reads++ === 0) collection.upsert('{"id":"job","owner":"cid"}', {});
    };
    expect(failureOf(ACQUIRE, { collection, args: ["job", "ann", 0, 1] })).toMatchObject({ substatus: 412 });
  });

  it("is taken on everything that a query finds, and on nothing else", () => {
    for (const [id, state] of Object.entries({ a: "ready", b: "done", c: "ready" })) {
      collection.create(JSON.stringify({ id, state }));
    }
    expect(run(LEASE_ALL, { collection, args: ["ann", 0, 100] }).body).toEqual(["a", "c"]);
    expect(collection.documents.map((job) => job["owner"])).toEqual(["ann", undefined, "ann"]);
    expect(run(LEASE_ALL, { collection, args: ["bob", 0, 100] }).body).toEqual([]);
  });

  it("is taken on all of them or on none", () => {
    for (const id of ["a", "b", "c"]) collection.create(JSON.stringify({ id, state: "ready" }));
    let replaces = 0;
    collection.beforeCall = (operation) => {
      if (operation === "replace" && ++replaces === 3) collection.upsert('{"id":"c","state":"done"}', {});
    };
    expect(failureOf(LEASE_ALL, { collection, args: ["ann", 0, 100] })).toMatchObject({ substatus: 412 });
    expect(collection.documents.map((job) => job["state"])).toEqual(["ready", "ready", "ready"]);
  });
});
