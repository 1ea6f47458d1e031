/** Calls of a client that goes on until they succeed. */
import { AlreadyExistsError, NotDeliveredError, ProviderError, RefusedError, sleep } from "@duroxide-ts/core";
import type { Machine } from "../world/machine.ts";

/** Time between two attempts of a call that failed, ms. */
const AGAIN_MS = 200;

/** Repeats a call until it succeeds, as a careful client does. A refusal that repeating cannot mend is a violation. */
export async function retryUntilDone<T>(
  machine: Machine,
  call: () => Promise<T>,
  onViolation: (violation: string) => void,
): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!ProviderError.is(error) || !mayPass(error)) {
        onViolation(`a call of the client failed: ${String(error)}`);
      }
      await sleep(machine, AGAIN_MS);
    }
  }
}

/** Whether the verb was carried out; false where the instance does not allow it. */
export async function unlessRefused(verb: Promise<unknown>): Promise<boolean> {
  return (await orRefused(verb)) !== undefined;
}

/** `undefined` where the instance does not allow the verb, or is not there. */
export async function orRefused<T>(verb: Promise<T>): Promise<{ readonly value: T } | undefined> {
  try {
    return { value: await verb };
  } catch (error) {
    const isRefused =
      error instanceof RefusedError ||
      error instanceof AlreadyExistsError ||
      error instanceof NotDeliveredError;
    if (isRefused) return undefined;
    if (ProviderError.is(error) && REFUSALS.has(error.code)) return undefined;
    throw error;
  }
}

const REFUSALS: ReadonlySet<string> = new Set(["instance-not-found", "instance-still-running"]);

/** Whether the same call may succeed later: the disk may have room again, and a process without its store is ended. */
function mayPass({ retryable, code }: ProviderError): boolean {
  return retryable || code === "internal" || code === "store-full" || code === "store-gone";
}
