/** The parts of an `authorization` header: `type=master&ver=1.0&sig=…`, percent-encoded by most clients. */
import { unauthorized } from "../requests/refusals.ts";

export interface Authorization {
  /** "master", "aad", "resource" or "sas". */
  readonly type: string;
  readonly version: string;
  readonly signature: string;
}

/** Throws 401 where the header is absent or is not of that form. */
export function parseAuthorization(header: string | undefined): Authorization {
  if (header === undefined || header === "") {
    throw unauthorized(
      "The required header authorization is missing: sign the request with the account's key.",
    );
  }
  const parts = /^type=([^&]*)&ver=([^&]*)&sig=(.*)$/s.exec(decoded(header));
  if (parts === null) {
    throw unauthorized(
      "The authorization header does not have the form type={type}&ver={version}&sig={signature}.",
    );
  }
  const [, type = "", version = "", signature = ""] = parts;
  return { type: type.toLowerCase(), version, signature };
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}
