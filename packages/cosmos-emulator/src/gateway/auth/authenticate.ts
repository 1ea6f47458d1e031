import { HEADER, textHeader } from "../headers/headers.ts";
import type { Address } from "../requests/address.ts";
import { parseBatchBody } from "../requests/batch-body.ts";
import type { OperationKind } from "../requests/operation-kind.ts";
import { unauthorized } from "../requests/refusals.ts";
import type { GatewayRequest } from "../requests/request.ts";
import { parseAuthorization } from "./authorization.ts";
import { checkBearerToken } from "./bearer-token.ts";
import { checkRole, type EntraRole } from "./data-role.ts";
import type { MasterKey } from "./master-key.ts";

export interface AuthenticationSettings {
  readonly key: MasterKey;
  /** The role of all callers with a Microsoft Entra token; undefined if none is accepted. */
  readonly role: EntraRole | undefined;
  now(): number;
}

/** Throws 401 or 403 unless the caller proves that it may do this. */
export function authenticate(
  request: GatewayRequest,
  address: Address,
  operation: OperationKind,
  settings: AuthenticationSettings,
): void {
  const { type, version, signature } = parseAuthorization(request.headers.authorization);
  if (version !== "1.0") throw unauthorized(`The authorization token has version ${version}: use 1.0.`);
  if (type === "master") {
    const date = textHeader(request.headers, HEADER.date) ?? textHeader(request.headers, "date");
    settings.key.verify(signature, request.method, address, date, settings.now());
    return;
  }
  if (type === "aad" && settings.role !== undefined) {
    checkBearerToken(signature, settings.now());
    checkRole(settings.role, operation, request.rawPath, () => parseBatchBody(request.body));
    return;
  }
  const advice =
    type === "aad"
      ? "start the endpoint with the option for them (aad)"
      : "this endpoint takes the account's key";
  throw unauthorized(`Authorization tokens of type ${JSON.stringify(type)} are not accepted: ${advice}.`);
}
