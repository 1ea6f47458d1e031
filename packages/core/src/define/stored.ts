/**
 * What becomes of a value's type on its way through the store. The runtime stores JSON by default, so a Date that an
 * activity returns reaches the orchestration as a string, and the types say so (docs/decisions/0022).
 */

/**
 * What the payload codec of this program makes of a type, where that is not JSON. Declared once by a program whose
 * codec keeps more than JSON does:
 *
 * ```ts
 * declare module "@duroxide-ts/core" {
 *   interface StoredTypes<T> { readonly stored: T } // the codec gives back what it was given
 * }
 * ```
 */
export interface StoredTypes<T> {
  /** Never there: it keeps the parameter, which is for the programs that add `stored`. */
  readonly "~declared"?: T;
}

/** The type of a value that comes back from the store. */
export type Stored<T> = StoredTypes<T> extends { readonly stored: infer Type } ? Type : Jsonify<T>;

/**
 * What `JSON.parse(JSON.stringify(value))` gives: a Date is a string, a method is gone, `undefined` is `null` where it
 * is a value of its own. What JSON cannot hold is `NotStorable`.
 */
export type Jsonify<T> = unknown extends T ? T : JsonOf<T>;

/** In the place of a type that JSON cannot hold; nothing can be done with it. */
export interface NotStorable<T> {
  readonly "cannot be stored as JSON": T;
}

// biome-ignore lint/suspicious/noConfusingVoidType: it is told from undefined: nobody looks at the result
type IsVoid<T> = void extends T ? true : false;

type JsonOf<T> = T extends string | number | boolean | null
  ? T
  : T extends undefined
    ? null
    : IsVoid<T> extends true
      ? T
      : T extends { toJSON(): infer Json }
        ? Jsonify<Json>
        : T extends Opaque
          ? NotStorable<T>
          : T extends readonly unknown[]
            ? { [K in keyof T]: Jsonify<T[K]> }
            : T extends object
              ? JsonOfObject<T>
              : NotStorable<T>;

/** The type keeps its name where its members are plain. Asking about all members would not end for recursive types. */
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

/** What the JSON codec refuses (payload/serialisable.ts), as far as types tell it apart. */
type Opaque =
  | bigint
  | symbol
  | Callable
  | PromiseLike<unknown>
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | OpaqueIterator
  | RegExp
  | ArrayBufferLike
  | ArrayBufferView;

interface OpaqueIterator {
  next(...args: never): unknown;
}

/**
 * Stands beside the type of a handler: nothing, or a sentence that no handler fits, where what callers get is not
 * storable or has a member that is not.
 */
export type StorableResult<Result> = unknown extends Result
  ? unknown
  : Complaint<Extract<Result | MembersOf<Result>, NotStorable<unknown>>>;

/** `NoInfer` keeps the type from being inferred here, and marks it; the mark would hide that a list is one. */
export type Settled<T> = NoInfer<T> extends infer Type ? Type : never;

type MembersOf<T> = T extends object ? T[keyof T] : never;

type Complaint<T> = [T] extends [never]
  ? unknown
  : [Extract<T, NotStorable<OpaqueIterator>>] extends [never]
    ? [Extract<T, NotStorable<PromiseLike<unknown>>>] extends [never]
      ? "the result holds what JSON cannot store: return plain data"
      : "the result holds a promise: await it first"
    : "the handler is a generator of which nothing would run: write an async function";
