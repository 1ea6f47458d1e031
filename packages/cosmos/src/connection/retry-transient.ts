/** Retries transient failures while the container is opened, so that a program can start while the service is busy. */
import { sleep } from "@duroxide-ts/core";
import { type Failure, failureOf, isTransient } from "../service/failure.ts";
import { spreadMs } from "../service/persist.ts";
import { LEADS_ELSEWHERE } from "./http-client.ts";
import type { Settings } from "./options.ts";
import { NoAnswer } from "./sdk-errors.ts";
import { NoToken } from "./token-source.ts";

/** Longer than a failover of the gateway, and short enough for the start of a program. */
const GIVE_UP_AFTER_MS = 30_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** Throws the last error when the service does not recover. `isExpected` adds failures that will pass as well. */
export async function retryTransient<Result>(
  { clock, random }: Settings,
  call: () => Promise<Result>,
  isExpected: (failure: Failure) => boolean = () => false,
): Promise<Result> {
  const giveUpMs = clock.now() + GIVE_UP_AFTER_MS;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const failure = failureOf(error);
      if (!mayPass(failure) && !isExpected(failure)) throw error;
      const backOffMs = spreadMs(FIRST_WAIT_MS, LONGEST_WAIT_MS, attempt, random);
      const waitMs = Math.ceil(Math.max(backOffMs, failure.retryAfterMs ?? 0));
      if (clock.now() + waitMs > giveUpMs) throw error;
      await sleep(clock, waitMs);
    }
  }
}

/** Whether the failure may be transient; an unknown host, a wrong protocol, certificate or credential is permanent. */
export function mayPass(failure: Failure): boolean {
  const { status, cause } = failure;
  if (cause instanceof NoToken) return !cause.isLasting;
  if (status === undefined) return cause instanceof NoAnswer && !isLasting(cause.cut);
  return isTransient(failure);
}

function isLasting(cut: string): boolean {
  return cut === "ENOTFOUND" || cut === "EPROTO" || cut === LEADS_ELSEWHERE || isCertificateError(cut);
}

export function isCertificateError(cut: string): boolean {
  return /CERT|UNABLE_TO_VERIFY|SELF_SIGNED/.test(cut);
}
