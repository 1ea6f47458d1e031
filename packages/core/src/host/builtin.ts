/**
 * Modules of Node for code that also runs in browsers, such as errors and checks of payloads. An import of them would end
 * the program there, and bundlers refuse it.
 */
type Modules = typeof process extends { getBuiltinModule: infer Get } ? Get : never;

/** `undefined` where there is no such module: outside Node, Deno and Bun. */
export const builtin: Modules = ((name: string) => globalThis.process?.getBuiltinModule?.(name)) as Modules;
