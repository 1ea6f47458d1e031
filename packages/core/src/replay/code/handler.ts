/** Runs a handler as an async function; the `yield` of a generator is an `await`. */
import { runMarked } from "../../guard/orchestration-frame.ts";

/** Calls `start` at once; a thrown error becomes a rejection. */
export function runHandler(start: () => unknown): Promise<unknown> {
  return runMarked(() => {
    const result = start();
    return isGenerator(result) ? drive(result) : result;
  });
}

function isGenerator(value: unknown): value is Generator<unknown, unknown, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "next" in value &&
    "throw" in value &&
    Symbol.iterator in value
  );
}

async function drive(generator: Generator<unknown, unknown, unknown>): Promise<unknown> {
  let step = generator.next();
  while (!step.done) {
    const settled = await settle(step.value);
    step = settled.ok ? generator.next(settled.value) : generator.throw(settled.error);
  }
  return step.value;
}

async function settle(
  yielded: unknown,
): Promise<{ readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }> {
  try {
    return { ok: true, value: await yielded };
  } catch (error) {
    return { ok: false, error };
  }
}
