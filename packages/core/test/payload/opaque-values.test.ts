/** Values that JSON would empty or change are refused by both codecs, whatever realm or copy of a class they are of. */
import { EventEmitter } from "node:events";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { jsonCodec, rustTypedCodec } from "../../src/index.ts";

class Secret {
  readonly #total = 1;
  get total(): number {
    return this.#total;
  }
}

/** A response like that of a library, whose fields say nothing of its content. */
class OtherResponse {
  readonly size = 0;
  readonly [Symbol.toStringTag] = "Response";
}

function argumentsOf(..._values: readonly unknown[]): unknown {
  // biome-ignore lint/complexity/noArguments: the value of the test
  return arguments;
}

const form = new FormData();
form.set("a", "1");

const emptied: Readonly<Record<string, unknown>> = {
  "a Response": Response.json({ total: 42 }),
  "a Response of a library": new OtherResponse(),
  Headers: new Headers({ a: "1" }),
  "a Request": new Request("http://localhost/"),
  FormData: form,
  "a Blob": new Blob(["abc"]),
  "a File": new File(["abc"], "a.txt"),
  URLSearchParams: new URLSearchParams("a=1"),
  "an iterator of a map": new Map([["a", 1]]).values(),
  "an iterator of an array": [1, 2].values(),
  "an iterator of matches": "aa".matchAll(/a/g),
  "a generator": (function* () {})(),
  "an async generator": (async function* () {})(),
  "a stream": new ReadableStream(),
  "a Buffer": Buffer.from("abc"),
  "a typed array": new Float64Array(2),
  "a DataView": new DataView(new ArrayBuffer(2)),
  "an ArrayBuffer": new ArrayBuffer(2),
  "a SharedArrayBuffer": new SharedArrayBuffer(2),
  "a Map": new Map([["a", 1]]),
  "a subclass of Map with a field": Object.assign(new Map(), { label: 1 }),
  "a Set": new Set([1]),
  "a WeakMap": new WeakMap(),
  "a WeakSet": new WeakSet(),
  "a WeakRef": new WeakRef({}),
  "a promise": Promise.resolve(1),
  "a RegExp": /x/,
  "an error": new TypeError("x"),
  "a DOMException": new DOMException("x"),
  "an AbortSignal": new AbortController().signal,
  "an event": new Event("x"),
  "an EventEmitter": new EventEmitter(),
  "an object that emits events": Object.assign(new (class Order extends EventEmitter {})(), { total: 42 }),
  "the arguments of a function": argumentsOf(1, 2),
  "a formatter": new Intl.NumberFormat(),
  "private fields only": new Secret(),
  "a proxy of private fields": new Proxy(new Secret(), {}),
  "a proxy of a Map": new Proxy(new Map(), {}),
  "an object of inherited fields": Object.create({ a: 1 }),
  "a boxed bigint": Object(5n),
  "a boxed symbol": Object(Symbol("s")),
  "a boxed NaN": Object(Number.NaN),
  "an array with a property": Object.assign([1], { total: 5 }),
  "a match of a regular expression": "abc".match(/b/),
  "an invalid Date": new Date(Number.NaN),
  "a Map of another realm": runInNewContext("new Map([[1, 2]])"),
  "a Set of another realm": runInNewContext("new Set([1])"),
  "an error of another realm": runInNewContext("new TypeError('x')"),
  "an invalid Date of another realm": runInNewContext("new Date(NaN)"),
  "bytes of another realm": runInNewContext("new Uint8Array(2)"),
  "a promise of another realm": runInNewContext("Promise.resolve(1)"),
  "a boxed NaN of another realm": runInNewContext("new Number(NaN)"),
};

describe.each([jsonCodec, rustTypedCodec])("the codec $name", (codec) => {
  it.each(Object.keys(emptied))("refuses %s, alone and inside a value", (what) => {
    const refusal = expect.objectContaining({ name: "PayloadError" });
    expect(() => codec.encode(emptied[what])).toThrow(refusal);
    expect(() => codec.encode({ at: [emptied[what]] })).toThrow(
      expect.objectContaining({ name: "PayloadError", path: "at[0]" }),
    );
  });

  it.each([
    ["a Date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a URL", new URL("http://localhost/a"), "http://localhost/a"],
    ["a class with toJSON", Object.assign(new Secret(), { toJSON: () => ({ total: 1 }) }), { total: 1 }],
    [
      "a class with fields",
      new (class Point {
        readonly x = 1;
      })(),
      { x: 1 },
    ],
    ["a boxed number", Object(5), 5],
    ["a boxed text", Object("a"), "a"],
    ["an object without prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["an empty object", {}, {}],
    ["an empty array", [], []],
    ["a list with holes", new Array(2), [null, null]],
    ["an object of another realm", runInNewContext("({ a: [1, {}] })"), { a: [1, {}] }],
    ["a Date of another realm", runInNewContext("new Date(0)"), "1970-01-01T00:00:00.000Z"],
    ["a boxed number of another realm", runInNewContext("new Number(5)"), 5],
    ["a key that is a symbol, which marks and is no data", { [Symbol("mark")]: 1, a: 1 }, { a: 1 }],
  ])("stores %s", (_what, value, stored) => {
    expect(codec.decode(codec.encode(value))).toEqual(stored);
    expect(codec.decode(codec.encode({ at: value }))).toEqual({ at: stored });
  });
});
