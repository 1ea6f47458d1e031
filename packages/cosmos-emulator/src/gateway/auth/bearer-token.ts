/**
 * Tokens of Microsoft Entra (docs/reference/cosmos-protocol.md §1.3), accepted by option. Nobody signs them here, so
 * only their form and their times are checked; what a role could never do in Azure is refused here too.
 */
import type { JsonValue } from "../../protocol/json.ts";
import type { OperationKind } from "../requests/operation-kind.ts";
import { forbidden, unauthorized } from "../requests/refusals.ts";

/** Throws 401 for what is no token in force, 403/5300 for what no data-plane role may do. */
export function checkBearerToken(token: string, operation: OperationKind, nowMs: number): void {
  const [header, payload, signature, ...rest] = token.split(".");
  if (header === undefined || payload === undefined || !signature || rest.length > 0) {
    throw unauthorized(
      "The bearer token is not a JSON web token: it needs three parts that are separated by dots.",
    );
  }
  const claims = decodePart(payload);
  if (typeof decodePart(header)["alg"] !== "string") {
    throw unauthorized('The header of the bearer token does not name its algorithm ("alg").');
  }
  const { exp, nbf, aud } = claims;
  if (typeof exp !== "number" || typeof aud !== "string") {
    throw unauthorized('The bearer token needs the claims "exp" (seconds since the epoch) and "aud".');
  }
  if (exp * 1000 <= nowMs) throw unauthorized("The bearer token has expired: fetch a new one.");
  if (typeof nbf === "number" && nbf * 1000 > nowMs) throw unauthorized("The bearer token is not valid yet.");
  if (isManagement(operation)) {
    throw forbidden(
      `Request blocked: ${operation} cannot be authorized by a Microsoft Entra token on the data plane. ` +
        "Use the account's key, or Azure Resource Manager.",
      5300,
    );
  }
}

/** What data-plane roles never include: changes of databases and containers, throughput, definitions of scripts. */
function isManagement(operation: OperationKind): boolean {
  const [resource = "", verb = ""] = operation.split(".");
  if (resource === "offer") return true;
  if (resource === "database" || resource === "container") return /^(create|replace|delete)$/.test(verb);
  const isScript =
    resource === "storedProcedure" || resource === "trigger" || resource === "userDefinedFunction";
  return isScript && /^(create|upsert|replace|delete)$/.test(verb);
}

function decodePart(part: string): Readonly<Record<string, JsonValue>> {
  try {
    const value = JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as JsonValue;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, JsonValue>>;
    }
  } catch {
    // Told below, together with JSON that is not an object.
  }
  throw unauthorized("A part of the bearer token is not base64url of a JSON object.");
}
