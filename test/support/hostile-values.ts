/**
 * Values to throw that resist being described, made at random. fast-check inspects what it generates, which some of
 * these resist as well, so it is given functions that make them.
 */
import fc from "fast-check";

const oops = (): never => {
  throw new Error("do not read this");
};

type Make = () => unknown;

const plain = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true });

const cyclic = fc.constantFrom("a", "message", "name").map((key) => {
  const value: Record<string, unknown> = {};
  value[key] = value;
  return value;
});

const unwritable = fc.constantFrom<Make>(
  () => ({ toJSON: oops }),
  () => ({ toString: oops, toJSON: () => undefined }),
  () => Object.create(null),
  () => Object.defineProperty({}, "x", { enumerable: true, get: oops }),
  () => Symbol("s"),
  () => 10n,
  () => () => "f",
  () => new Proxy({}, { get: oops, ownKeys: oops, getPrototypeOf: oops, getOwnPropertyDescriptor: oops }),
  () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
);

const value: fc.Arbitrary<Make> = fc.oneof(
  fc.oneof(plain, cyclic).map((made) => () => made),
  unwritable,
);

/** An error with any properties, some of which cannot be read. */
const error = fc
  .record({
    type: fc.constantFrom(Error, TypeError, RangeError),
    data: fc.dictionary(
      fc.oneof(
        fc.string(),
        fc.constantFrom("message", "name", "stack", "cause", "details", "toJSON", "__proto__"),
      ),
      value,
    ),
    getters: fc.array(fc.constantFrom("message", "name", "stack", "status", "toJSON")),
    proxy: fc.option(fc.constantFrom("get", "ownKeys", "getOwnPropertyDescriptor", "getPrototypeOf")),
  })
  .map(
    ({ type, data, getters, proxy }): Make =>
      () => {
        const made: Error = new type("made");
        for (const [key, inner] of Object.entries(data)) {
          Object.defineProperty(made, key, { value: inner(), enumerable: true, configurable: true });
        }
        for (const key of getters) {
          Object.defineProperty(made, key, { get: oops, enumerable: true, configurable: true });
        }
        return proxy === null ? made : new Proxy(made, { [proxy]: oops });
      },
  );

/** Makes values with promises that reject later, inside or by reading them. */
const rejecting = fc.constantFrom<Make>(
  () => Promise.reject(new Error("later")),
  () => ({ inside: [Promise.reject(new Error("later"))] }),
  () => new Map([["inside", Promise.reject(new Error("later"))]]),
  () => ({ toJSON: async () => oops() }),
  () => Object.defineProperty({}, "x", { enumerable: true, get: async () => oops() }),
  () => new Error("made", { cause: Promise.reject(new Error("later")) }),
  () => Object.assign(new Error("made"), { response: { body: Promise.reject(new Error("later")) } }),
);

/** Makes values that resist being described. */
export const hostileValue: fc.Arbitrary<Make> = fc.oneof({ weight: 3, arbitrary: error }, value);

/** Makes anything that a handler may throw. */
export const hostileThrown: fc.Arbitrary<Make> = fc.oneof({ weight: 5, arbitrary: hostileValue }, rejecting);
