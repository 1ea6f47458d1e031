/**
 * Tokens of Microsoft Entra (docs/reference/cosmos-protocol.md §1.3), accepted by option. They are not signed here, so
 * only their form and their times are checked. A role decides what they may do (data-role.ts).
 */
import type { JsonValue } from "../../protocol/json.ts";
import { unauthorized } from "../requests/refusals.ts";

/** Throws 401 for what is no token in force. */
export function checkBearerToken(token: string, nowMs: number): void {
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
}

function decodePart(part: string): Readonly<Record<string, JsonValue>> {
  try {
    const value = JSON.parse(Buffer.from(part, "base64url").toString("utf8")) as JsonValue;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, JsonValue>>;
    }
  } catch {
    // Rejected below, together with JSON that is not an object.
  }
  throw unauthorized("A part of the bearer token is not base64url of a JSON object.");
}
