/** Consistency levels: what the account has, and that a request cannot ask for a stronger one. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { HEADER, textHeader } from "../headers/headers.ts";
import type { GatewayRequest } from "./request.ts";

/** The level of the account, which is also the service's default. */
export const ACCOUNT_CONSISTENCY = "Session";

/** The levels that the account can give, as requests name them. */
const WEAK_ENOUGH = /^(session|consistentprefix|eventual)$/i;

/** Throws 400 for a level that is stronger than the account's, or none at all. */
export function checkConsistency({ headers }: GatewayRequest): void {
  const level = textHeader(headers, HEADER.consistency)?.trim();
  if (level === undefined || level === "" || WEAK_ENOUGH.test(level)) return;
  throw CosmosError.badRequest(
    `The consistency level ${JSON.stringify(level)} is invalid here: the account's is ${ACCOUNT_CONSISTENCY}, and a request may only ask for the same or less. Leave out ${HEADER.consistency}.`,
  );
}
