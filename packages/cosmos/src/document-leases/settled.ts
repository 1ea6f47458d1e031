/** Refusals that are outcomes rather than errors. */
import { type Failure, failureOf, isTransient } from "../service/failure.ts";

export type Settled<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** Converts refusals with these statuses to outcomes, except for a missing container. */
export async function unlessRefused<T>(statuses: readonly number[], sent: Promise<T>): Promise<Settled<T>> {
  try {
    return { ok: true, value: await sent };
  } catch (error) {
    const failure = failureOf(error);
    const { status = 0, substatus } = failure;
    const isExpected = statuses.includes(status) && substatus !== OWNER_ABSENT && !isTransient(failure);
    if (!isExpected) throw error;
    return { ok: false, failure };
  }
}

const OWNER_ABSENT = 1003;
