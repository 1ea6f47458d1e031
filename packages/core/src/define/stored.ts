/**
 * The type of a value after a round trip through the store. The runtime stores JSON by default, so the orchestration
 * gets a Date that an activity returns as a string, and the types say so (docs/decisions/payloads.md).
 */

/**
 * The type of a value after a round trip through this program's payload codec, if that is not JSON. A program whose
 * codec keeps more than JSON declares it once:
 *
 * ```ts
 * declare module "@duroxide-ts/core" {
 *   interface StoredTypes<T> { readonly stored: T } // the codec decodes what it encoded
 * }
 * ```
 */
export interface StoredTypes<T> {
  /** Never set. It uses the type parameter, which programs need that declare `stored`. */
  readonly "~declared"?: T;
}

/** The type of a value that comes back from the store. */
export type Stored<T> = StoredTypes<T> extends { readonly stored: infer Type } ? Type : Jsonify<T>;

/**
 * The type of `JSON.parse(JSON.stringify(value))`: a Date becomes a string, a method is removed, `undefined` as the
 * whole value becomes `null`. A type that JSON cannot hold becomes `NotStorable`.
 */
export type Jsonify<T> = unknown extends T ? T : [T] extends [Json] ? T : JsonOf<T>;

/** Values that are the same after a round trip. Types that name themselves, such as any JSON value, have no other end. */
type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/** Replaces a type that JSON cannot hold, so that its use does not compile. */
export interface NotStorable<T> {
  readonly "cannot be stored as JSON": T;
}

// biome-ignore lint/suspicious/noConfusingVoidType: it is distinguished from undefined, because void results are unused
type IsVoid<T> = void extends T ? true : false;

type JsonOf<T> = T extends string | number | boolean | null
  ? T
  : T extends undefined
    ? null
    : IsVoid<T> extends true
      ? T
      : T extends ArrayBufferView
        ? NotStorable<T>
        : T extends { toJSON(): infer Json }
          ? Jsonify<Json>
          : T extends Opaque
            ? NotStorable<T>
            : T extends readonly unknown[]
              ? { [K in keyof T]: Jsonify<T[K]> }
              : T extends object
                ? JsonOfObject<T>
                : NotStorable<T>;

/** Keeps the name of a type with plain members. Checking members recursively would not end for recursive types. */
type JsonOfObject<T> = unknown extends T[keyof T]
  ? JsonMembers<T>
  : [T[keyof T]] extends [string | number | boolean | null | undefined]
    ? T
    : JsonMembers<T>;

type JsonMembers<T> = {
  [K in keyof T as K extends symbol ? never : T[K] extends Callable ? never : K]: JsonMember<T[K]>;
};

type JsonMember<T> = unknown extends T ? T : T extends undefined ? T : Jsonify<T>;

type Callable = (...args: never) => unknown;

/** Values that the JSON codec rejects (payload/serialisable.ts), as far as types distinguish them. */
type Opaque =
  | bigint
  | symbol
  | Callable
  | PromiseLike<unknown>
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | OpaqueIterator
  | RegExp
  | ArrayBufferLike;

interface OpaqueIterator {
  next(...args: never): unknown;
}

/**
 * Intersected with the type of a handler. If the result or one of its members is not storable, it is a string literal
 * type with the reason, to which no handler is assignable.
 */
export type StorableResult<Result> = unknown extends Result
  ? unknown
  : Complaint<Extract<Result | MembersOf<Result>, NotStorable<unknown>>>;

/** `NoInfer` prevents inference here, but wraps the type; the conditional type unwraps it, so that lists stay lists. */
export type Settled<T> = NoInfer<T> extends infer Type ? Type : never;

type MembersOf<T> = T extends object ? T[keyof T] : never;

type Complaint<T> = [T] extends [never]
  ? unknown
  : [Extract<T, NotStorable<OpaqueIterator>>] extends [never]
    ? [Extract<T, NotStorable<PromiseLike<unknown>>>] extends [never]
      ? "the result holds what JSON cannot store: return plain data"
      : "the result holds a promise: await it first"
    : "the handler is a generator of which nothing would run: write an async function";
