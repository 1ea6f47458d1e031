/** Operations on an item and their results, each kind of them alone and in company. */
import type { Fields } from "../client/reply.ts";

/** A list of operations on an item with the result: the new fields, or the status of the refusal. */
export interface PatchCase {
  readonly name: string;
  readonly before: Fields;
  readonly operations: readonly Fields[];
  readonly after: Fields | 400;
}

export const PATCH_CASES: readonly PatchCase[] = [
  {
    name: "set creates and overwrites",
    before: { a: 1 },
    operations: [
      { op: "set", path: "/a", value: 2 },
      { op: "set", path: "/b", value: null },
    ],
    after: { a: 2, b: null },
  },
  {
    name: "add creates and overwrites",
    before: { a: 1 },
    operations: [
      { op: "add", path: "/a", value: 2 },
      { op: "add", path: "/b", value: [1] },
    ],
    after: { a: 2, b: [1] },
  },
  {
    name: "replace overwrites",
    before: { a: { b: 1 } },
    operations: [{ op: "replace", path: "/a/b", value: 2 }],
    after: { a: { b: 2 } },
  },
  {
    name: "replace of a missing path is refused",
    before: {},
    operations: [{ op: "replace", path: "/a", value: 1 }],
    after: 400,
  },
  {
    name: "remove deletes",
    before: { a: 1, b: { c: 1, d: 2 } },
    operations: [
      { op: "remove", path: "/a" },
      { op: "remove", path: "/b/c" },
    ],
    after: { b: { d: 2 } },
  },
  {
    name: "remove of a missing path is refused",
    before: {},
    operations: [{ op: "remove", path: "/a" }],
    after: 400,
  },
  {
    name: "incr adds, also fractions and negative numbers",
    before: { a: 1, b: 1 },
    operations: [
      { op: "incr", path: "/a", value: 2 },
      { op: "incr", path: "/b", value: -0.5 },
    ],
    after: { a: 3, b: 0.5 },
  },
  {
    name: "incr creates where there is nothing",
    before: {},
    operations: [{ op: "incr", path: "/a", value: 5 }],
    after: { a: 5 },
  },
  {
    name: "incr of what is no number is refused",
    before: { a: "1" },
    operations: [{ op: "incr", path: "/a", value: 1 }],
    after: 400,
  },
  {
    name: "a path into nothing is refused",
    before: {},
    operations: [{ op: "set", path: "/a/b", value: 1 }],
    after: 400,
  },
  {
    name: "operations see what earlier ones did",
    before: { n: 1 },
    operations: [
      { op: "set", path: "/n", value: 10 },
      { op: "incr", path: "/n", value: 1 },
      { op: "add", path: "/m", value: "x" },
    ],
    after: { n: 11, m: "x" },
  },
  {
    name: "move takes a value to another path",
    before: { a: { b: 7 } },
    operations: [{ op: "move", from: "/a/b", path: "/c" }],
    after: { a: {}, c: 7 },
  },
  {
    name: "move of a missing path is refused",
    before: {},
    operations: [{ op: "move", from: "/a", path: "/b" }],
    after: 400,
  },
  {
    name: "add inserts into an array",
    before: { a: [1, 3] },
    operations: [{ op: "add", path: "/a/1", value: 2 }],
    after: { a: [1, 2, 3] },
  },
  {
    name: "add at the length of an array appends",
    before: { a: [1] },
    operations: [{ op: "add", path: "/a/1", value: 2 }],
    after: { a: [1, 2] },
  },
  {
    name: "add at - appends",
    before: { a: [1] },
    operations: [{ op: "add", path: "/a/-", value: 2 }],
    after: { a: [1, 2] },
  },
  {
    name: "add beyond an array is refused",
    before: { a: [1] },
    operations: [{ op: "add", path: "/a/3", value: 2 }],
    after: 400,
  },
  {
    name: "set overwrites an element of an array",
    before: { a: [1, 2] },
    operations: [{ op: "set", path: "/a/1", value: 9 }],
    after: { a: [1, 9] },
  },
  {
    name: "replace overwrites an element of an array",
    before: { a: [1, 2] },
    operations: [{ op: "replace", path: "/a/0", value: 9 }],
    after: { a: [9, 2] },
  },
  {
    name: "replace beyond an array is refused",
    before: { a: [1] },
    operations: [{ op: "replace", path: "/a/1", value: 9 }],
    after: 400,
  },
  {
    name: "remove takes an element out of an array",
    before: { a: [1, 2, 3] },
    operations: [{ op: "remove", path: "/a/1" }],
    after: { a: [1, 3] },
  },
  {
    name: "remove beyond an array does nothing",
    before: { a: [1] },
    operations: [{ op: "remove", path: "/a/1" }],
    after: { a: [1] },
  },
  {
    name: "a pointer escapes ~ and /",
    before: { "a/b": 1, "c~d": 1 },
    operations: [
      { op: "set", path: "/a~1b", value: 2 },
      { op: "set", path: "/c~0d", value: 2 },
    ],
    after: { "a/b": 2, "c~d": 2 },
  },
  {
    name: "an unknown operation is refused",
    before: { a: 1 },
    operations: [{ op: "test", path: "/a", value: 1 }],
    after: 400,
  },
  {
    name: "one refused operation undoes the others",
    before: { a: 1 },
    operations: [
      { op: "set", path: "/a", value: 2 },
      { op: "remove", path: "/b" },
    ],
    after: 400,
  },
];
