/** Stored procedures: their management, arguments, answers and bounds. */
import { inGroup } from "../check.ts";
import { type Fields, fieldsOf, textOf } from "../client/reply.ts";
import { expect, expectEqual, expectMatch, expectStatus } from "../expect.ts";
import { answering, numbersOf, PATCH, procedure, withItem } from "../given/stored-procedure.ts";
import { unique } from "../target.ts";

export const PROCEDURES = inGroup("stored procedures", [
  {
    name: "one is created, read, listed, replaced and deleted",
    evidence: ["1.13 management", "5.2 sprocs", "6 sproc, offers", "1.5 feeds"],
    async run(target) {
      const { link } = await target.temporary();
      const send = (method: string, path: string, body?: Fields) =>
        target.raw.send({ method, link: `${link}/sprocs${path}`, body });
      const script = { id: "p", body: answering("1") };
      const created = expectStatus(await send("POST", "", script), 201).fields;
      for (const member of ["_rid", "_self", "_etag", "_ts"])
        expect(member in created, `${member} is missing`);
      expectStatus(await send("POST", "", script), 409);
      expectEqual(expectStatus(await send("GET", "/p"), 200).fields["body"], script.body, "the body");
      const feed = expectStatus(await send("GET", ""), 200).fields;
      expectEqual([(feed["StoredProcedures"] as unknown[]).length, feed["_count"]], [1, 1], "the feed");
      expectStatus(await send("PUT", "/p", { id: "p", body: answering("2") }), 200);
      expectEqual(expectStatus(await send("GET", "/p"), 200).fields["body"], answering("2"), "the new body");
      expectStatus(await send("DELETE", "/p"), 204);
      expectStatus(await send("GET", "/p"), 404);
    },
  },
  {
    name: "its answer is what it sets as body: a number, a text, an object, an array, null",
    evidence: ["1.13 execute", "5.2 sprocs", "6 sproc, offers"],
    async run(target) {
      for (const value of [1, "text", { a: [1] }, [1, null], null, false]) {
        const { execute } = await procedure(target, answering(JSON.stringify(value)));
        expectEqual(expectStatus(await execute(), 200).json, value, "the body");
      }
    },
  },
  {
    name: "arguments arrive in order; a scalar counts as one, and none are undefined",
    evidence: ["1.13 arguments"],
    async run(target) {
      const { execute } = await procedure(target, answering("[a, b === undefined ? 'none' : b]"));
      expectEqual(
        expectStatus(await execute([{ x: 1 }, "two"]), 200).json,
        [{ x: 1 }, "two"],
        "two arguments",
      );
      expectEqual(expectStatus(await execute(["one"]), 200).json, ["one", "none"], "one argument");
    },
  },
  {
    name: "it needs a partition key, and must exist",
    evidence: ["1.13 management", "2.1 404"],
    async run(target) {
      const { items, link } = await procedure(target, answering("1"));
      expectStatus(await target.raw.send({ method: "POST", link, body: [] }), 400);
      const headers = { "x-ms-documentdb-partitionkey": '["p"]' };
      const absent = `${items.link}/sprocs/${unique("absent")}`;
      expectStatus(await target.raw.send({ method: "POST", link: absent, headers, body: [] }), 404);
    },
  },
  {
    name: "it reaches nothing outside: no process, no require, no files, no network",
    evidence: ["1.13 api"],
    async run(target) {
      const names = [
        "process",
        "require",
        "global",
        "fetch",
        "XMLHttpRequest",
        "Deno",
        "Buffer",
        "setTimeout",
        "importScripts",
        "module",
      ];
      const kinds = `[${names.map((name) => `typeof ${name}`).join(", ")}]`;
      const { execute } = await procedure(target, answering(kinds));
      expectEqual(
        expectStatus(await execute(), 200).json,
        names.map(() => "undefined"),
        "the types",
      );
      const sneaky = await procedure(
        target,
        answering('getContext.constructor.constructor("return typeof process")()'),
      );
      const reply = await sneaky.execute();
      expect(
        reply.status === 400 || reply.json === "undefined",
        `the constructor gave ${reply.status} ${reply.text}`,
      );
    },
  },
  {
    name: "an endless loop is ended, and its writes undone",
    evidence: ["1.13 bound", "3.1 execution time"],
    async run(target) {
      const stored = await procedure(
        target,
        `function () { ${PATCH} patch("a", 2, {}, function () { for (;;); }); }`,
      );
      await withItem(stored, "a");
      const { status } = await stored.execute();
      expect([400, 403, 408].includes(status), `the status is ${status}`);
      expectEqual(await numbersOf(stored), [1], "the stored items");
    },
  },
  {
    name: "text that is no script is 400",
    evidence: ["2.1 400", "1.13 throw"],
    async run(target) {
      const { link } = await target.items;
      const id = unique("procedure");
      const created = await target.raw.send({
        method: "POST",
        link: `${link}/sprocs`,
        body: { id, body: "function ( {" },
      });
      if (created.status === 400) return;
      expectStatus(created, 201);
      const headers = { "x-ms-documentdb-partitionkey": '["p"]' };
      expectStatus(
        await target.raw.send({ method: "POST", link: `${link}/sprocs/${id}`, headers, body: [] }),
        400,
      );
    },
  },
  {
    name: "the SDK creates one from a function and executes it",
    evidence: ["1.13 management", "1.13 arguments", "1.13 throw", "5.2 sprocs", "6 sproc, offers"],
    async run(target) {
      const { scripts } = await target.sdkContainer();
      const id = unique("procedure");
      const body =
        'function (a) { if (a === undefined) throw new Error("no argument"); getContext().getResponse().setBody({ a }); }';
      await scripts.storedProcedures.create({ id, body });
      const stored = scripts.storedProcedure(id);
      const pk = unique("pk");
      expectEqual((await stored.execute(pk, ["one"])).resource, { a: "one" }, "the result");
      expectEqual(
        (await stored.execute(pk, "scalar" as unknown as unknown[])).resource,
        { a: "scalar" },
        "the result of a scalar",
      );
      const error: unknown = await stored.execute(pk).catch((thrown: unknown) => thrown);
      expectEqual(fieldsOf(error)["code"], 400, "the code of the error");
      expectMatch(textOf(fieldsOf(error)["message"]), /no argument/, "the message of the error");
    },
  },
]);
