/**
 * A runtime and a client on the store of a case, in the case's time: race_replay looks at all three from end to end.
 */
import { Client, DuroxideError, Runtime, type RuntimeOptions } from "@duroxide-ts/core";
import type { CaseContext } from "../context.ts";

const LONGEST_WAIT_MS = 60_000;

/** Few slots, so that idle ones cost little when virtual time moves. Stopped by `await using`, with nothing cut off. */
export async function startRuntime(
  { provider, time }: CaseContext,
  options: Partial<RuntimeOptions>,
): Promise<AsyncDisposable> {
  const runtime = await Runtime.start({
    provider,
    clock: time.clock,
    orchestrationConcurrency: 1,
    workerConcurrency: 1,
    determinismGuard: "off",
    // The rules of the Rust runtime, because these are its cases: blocked work fails.
    onNondeterminism: "fail",
    onMissingHandler: "fail",
    ...options,
  });
  return {
    async [Symbol.asyncDispose]() {
      await time.measure(() => runtime.shutdown({ graceMs: LONGEST_WAIT_MS }), LONGEST_WAIT_MS);
    },
  };
}

export function clientOf({ provider, time }: CaseContext): Client {
  return new Client(provider, { clock: time.clock });
}

/** The output of the instance, or the message that it failed with; time goes on as long as that takes. */
export async function endOf(
  context: CaseContext,
  instance: string,
): Promise<{ readonly output: unknown } | { readonly failure: string }> {
  const handle = clientOf(context).handle("any", instance);
  const end = (): Promise<{ readonly output: unknown } | { readonly failure: string }> =>
    handle.result().then(
      (output) => ({ output }),
      (error: unknown) => {
        if (DuroxideError.is(error, "orchestration-failed")) return { failure: error.message };
        throw error;
      },
    );
  return (await context.time.measure(end, LONGEST_WAIT_MS)).value;
}
