/** The values of races and joins. */

/** An entry of `all` and `allSettled` that is no branch: a task, any promise or value. */
export type JoinValue = object | string | number | bigint | boolean | null | undefined;

/** The value of a task, a promise or a branch. */
export type EntryValue<Entry> = Entry extends (branch: never) => infer Result
  ? Awaited<Result>
  : Awaited<Entry>;

/** The winner of a race; `index` narrows the type of `value`. */
export type RaceResult<T extends readonly unknown[]> = {
  [K in keyof T]: K extends `${infer Index extends number}`
    ? { readonly index: Index; readonly value: EntryValue<T[K]> }
    : number extends T["length"]
      ? { readonly index: number; readonly value: EntryValue<T[number]> }
      : never;
}[number];
