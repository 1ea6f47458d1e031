import { beforeEach, describe, expect, it } from "vitest";
import { FakeCollection } from "./support/fake-collection.ts";
import { scriptRunner } from "./support/script-runner.ts";

const { run, failureOf } = scriptRunner();

const PEOPLE = [
  { id: "ann", age: 41, tags: ["x", ["y"]], pets: [{ name: "Rex" }, { name: "Tom" }] },
  { id: "bob", age: 17, tags: ["z"], pets: [] },
  { id: "cid", age: 29, tags: [], pets: [{ name: "Ivy" }] },
];

let collection: FakeCollection;
beforeEach(() => {
  collection = new FakeCollection();
  for (const person of PEOPLE) collection.create(JSON.stringify(person));
});

/** Runs an expression on `__` and answers with what it put into the response. */
const result = (expression: string): unknown => run(`function () { ${expression}; }`, { collection }).body;

describe("the query helpers", () => {
  it.each([
    ["filter", `__.chain().filter((d) => d.age > 20).pluck("id").value()`, ["ann", "cid"]],
    ["map", "__.map((d) => d.age + 1)", [42, 18, 30]],
    ["pluck", `__.pluck("age")`, [41, 17, 29]],
    ["flatten", "__.chain().map((d) => d.tags).flatten().value()", ["x", "y", "z"]],
    ["flatten one level", "__.chain().map((d) => d.tags).flatten(true).value()", ["x", ["y"], "z"]],
    ["sortBy", `__.chain().sortBy((d) => d.age).pluck("id").value()`, ["bob", "cid", "ann"]],
    [
      "sortByDescending",
      `__.chain().sortByDescending((d) => d.age).pluck("id").value()`,
      ["ann", "cid", "bob"],
    ],
    ["unwind", "__.chain().unwind((d) => d.pets).pluck('name').value()", ["Rex", "Tom", "Ivy"]],
    [
      "unwind with a result",
      "__.unwind((d) => d.pets, (d, pet) => d.id + pet.name)",
      ["annRex", "annTom", "cidIvy"],
    ],
    [
      "the container as first argument",
      `__.pluck(getContext().getCollection(), "id")`,
      ["ann", "bob", "cid"],
    ],
    ["an empty chain", "__.chain().value((error, rows) => __.response.setBody(rows.length))", 3],
  ])("have %s", (_, expression, expected) => {
    expect(result(expression)).toEqual(expected);
  });

  it("hand their rows to a callback if there is one", () => {
    expect(result(`__.pluck("id", (error, rows) => __.response.setBody({ rows }))`)).toEqual({
      rows: ["ann", "bob", "cid"],
    });
  });

  it("append to a response that has something already", () => {
    expect(result(`__.response.setBody("ids: "); __.pluck("id")`)).toBe('ids: ["ann","bob","cid"]');
  });

  it("give the result in pages, after sorting all of it", () => {
    const source = `function () {
      const pages = [];
      const next = (continuation) =>
        __.chain().sortBy((d) => d.age).pluck("id").value({ pageSize: 2, continuation }, (error, rows, options) => {
          pages.push(rows);
          if (options.continuation) next(options.continuation);
          else __.response.setBody(pages);
        });
      next();
    }`;
    expect(run(source, { collection }).body).toEqual([["bob", "cid"], ["ann"]]);
  });

  it("say whether they were accepted, and run after the script's own code", () => {
    const source = `function () {
      const order = [];
      const { isAccepted } = __.filter(() => true, () => { order.push("rows"); __.response.setBody({ isAccepted, order }); });
      order.push("script");
    }`;
    expect(run(source, { collection }).body).toEqual({ isAccepted: true, order: ["script", "rows"] });
  });

  it("are not accepted when the time is nearly used", () => {
    let nowMs = 0;
    collection.beforeCall = () => {
      nowMs += 90;
    };
    const source = `function () {
      __.readDocuments(__.getSelfLink(), () => __.response.setBody(__.filter(() => true).isAccepted));
    }`;
    expect(run(source, { collection, limits: { timeMs: 100, now: () => nowMs } }).body).toBe(false);
  });

  it("give an exception of their functions to the callback, or fail the script", () => {
    const throwing = "(d) => { throw new Error(9, d.id); }";
    expect(result(`__.map(${throwing}, (error) => __.response.setBody(error.number))`)).toBe(9);
    expect(failureOf(`function () { __.map(${throwing}); }`, { collection })).toMatchObject({ substatus: 9 });
  });

  it.each(["__.filter()", "__.map(7)", "__.pluck()", "__.chain().sortBy('age')", "__.unwind()"])(
    "refuse a wrong argument: %s",
    (expression) => {
      expect(failureOf(`function () { ${expression}; }`)).toMatchObject({ status: 400, substatus: 400 });
    },
  );
});
