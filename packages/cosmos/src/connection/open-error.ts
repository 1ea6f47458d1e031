/** Converts a failure of opening a container to an error that says what to do. */
import { ProviderError } from "@duroxide-ts/core";
import { isError } from "@duroxide-ts/core/stores";
import { type Failure, failureOf } from "../service/failure.ts";
import { forbidsKeys } from "../service/key-refusal.ts";
import { createCommands, roleCommand } from "./azure-commands.ts";
import { clockDifference, skewMs } from "./clock-skew.ts";
import { LEADS_ELSEWHERE } from "./http-client.ts";
import type { Settings } from "./options.ts";
import { isCertificateError, mayPass } from "./retry-transient.ts";
import { NoAnswer } from "./sdk-errors.ts";
import { NoToken } from "./token-source.ts";

/** The failed step, for the message. */
export type OpenStep = "read" | "create";

export function cannotOpen(settings: Settings, reason: string, cause?: unknown): ProviderError {
  const message = `container ${nameOf(settings)} cannot be opened: ${reason}`;
  return new ProviderError({ code: "cannot-open", operation: "connect", message, cause });
}

export function nameOf({ database, container, endpoint }: Settings): string {
  return `${JSON.stringify(`${database}/${container}`)} at ${endpoint.host}`;
}

export function missing(settings: Settings, cause: unknown): ProviderError {
  const why =
    settings.access.kind === "entra"
      ? "Microsoft Entra roles for data cannot create them"
      : "createIfMissing is false";
  return cannotOpen(
    settings,
    `the database or the container does not exist, and ${why}. Check the names, or create them with\n${createCommands(settings)}`,
    cause,
  );
}

export function toOpenError(settings: Settings, step: OpenStep, error: unknown): ProviderError {
  if (ProviderError.is(error)) return error;
  const failure = failureOf(error);
  if (mayPass(failure)) return outOfReach(settings, failure);
  return cannotOpen(settings, reasonOf(settings, step, failure), error);
}

function outOfReach(settings: Settings, { status, message, cause }: Failure): ProviderError {
  const [what, advice] =
    cause instanceof NoToken
      ? [noToken(message), GET_TOKEN]
      : [
          cause instanceof NoAnswer
            ? `no answer${whereElse(settings, cause)} (${cause.cut})`
            : `status ${status}: ${firstLine(message)}`,
          "check the endpoint, the network and the account's throughput",
        ];
  return new ProviderError({
    code: "unavailable",
    operation: "connect",
    message: `container ${nameOf(settings)} is out of reach, ${what}. Try again later; if it persists, ${advice}`,
    cause,
  });
}

const GET_TOKEN = "sign in with az login, run with a managed identity, or give a credential or a key";

function noToken(reason: string): string {
  return `no Microsoft Entra token (${firstLine(reason)})`;
}

/** An account names the addresses at which it is reached, and a mapped port or a proxy may make them wrong. */
function whereElse({ endpoint }: Settings, { host }: NoAnswer): string {
  if (host === endpoint.host) return "";
  return ` from ${host}, the address that the account at ${endpoint.host} names as its own`;
}

function reasonOf(settings: Settings, step: OpenStep, failure: Failure): string {
  const { status, message, cause } = failure;
  if (cause instanceof NoToken) return `there is ${noToken(message)}. To go on, ${GET_TOKEN}`;
  if (cause instanceof NoAnswer) return noAnswerReason(settings, cause);
  if (status === 401 || status === 403) {
    return settings.access.kind === "key"
      ? keyReason(settings, step, failure)
      : roleReason(settings, failure);
  }
  if (status === 400 && step === "create" && settings.throughput !== undefined) {
    return `it cannot be created with this throughput (${firstLine(message)}). Leave throughput out for a serverless account, or give what the account allows`;
  }
  return `${status === undefined ? "" : `status ${status}: `}${firstLine(message)}. Mend what this names`;
}

function noAnswerReason({ endpoint }: Settings, { cut, message }: NoAnswer): string {
  if (cut === LEADS_ELSEWHERE) return message;
  if (cut === "ENOTFOUND") return `there is no host ${endpoint.hostname}. Check the endpoint`;
  if (isCertificateError(cut)) {
    return `its certificate is not trusted (${cut}). For an endpoint on this machine set acceptSelfSignedCertificate, or name its certificate in NODE_EXTRA_CA_CERTS; for any other find out which server responds there`;
  }
  return `the connection failed (${cut}). Check whether the server expects https or http`;
}

/** The service rejects dates that differ by more (docs/reference/cosmos-protocol.md §1.3). */
const SIGNED_DATE_TOLERANCE_MS = 15 * 60_000;

/** Leaves out the service's message, because it repeats the signed text. */
function keyReason(settings: Settings, step: OpenStep, { status, message, cause }: Failure): string {
  const ms = isError(cause) && "headers" in cause ? skewMs(settings, cause.headers) : 0;
  if (Math.abs(ms) > SIGNED_DATE_TOLERANCE_MS) {
    return `${clockDifference(ms)}, which refuses such requests. Set the clock`;
  }
  if (/local authorization is disabled/i.test(message)) {
    return "the account does not accept keys. Leave the key out and sign in with Microsoft Entra ID";
  }
  if (status === 401) {
    return "the account refused the key. Copy it again from the account's keys; it may be that of another account, or have been regenerated";
  }
  if (forbidsKeys(message)) {
    return `the account lets no key create it (disableKeyBasedMetadataWriteAccess). Create it with\n${createCommands(settings)}`;
  }
  if (step === "create") {
    return "the account refused to create it. A read-only key cannot: give a read-write key";
  }
  return "the account refused the request. Check that its firewall lets this machine in";
}

function roleReason(settings: Settings, { status, message }: Failure): string {
  const [, action] = /perform action \[([^\]]+)\]/.exec(message) ?? [];
  if (action !== undefined) {
    // Connecting reads the properties of account and container, which a role for one container does not include.
    return `the role of this identity does not include ${action} at the scope of the account. Assign it at the scope /, not at that of a database or a container, and add the action if the role has it not; or give the built-in role with\n${roleCommand(settings)}`;
  }
  return `the account refused this identity (status ${status}). Check that its firewall lets this machine in, and give the identity a role with\n${roleCommand(settings)}`;
}

function firstLine(text: string): string {
  return (/^.*$/m.exec(text.trim())?.[0] ?? "").replace(/[.\s]+$/, "");
}
