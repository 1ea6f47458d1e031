/** The value that a body has. */
import { jsonPayload, Refused } from "@duroxide-ts/core/web";

/**
 * JSON where the content type says so; another body is its text; none is `undefined`. Refused for JSON that cannot be
 * parsed, and for bytes that are no text. `asText` as that of `jsonPayload`.
 */
export function payloadOf(request: Request, body: Uint8Array, asText = true): unknown {
  if (body.byteLength === 0) return undefined;
  return isJson(request)
    ? parsed(body, (json) => jsonPayload(json, "the body", asText))
    : textOf(body, charsetOf(request));
}

/** Refused for what cannot be parsed. */
export function parsed(
  body: Uint8Array,
  parse: (json: string) => unknown = (json) => JSON.parse(json) as unknown,
): unknown {
  try {
    return parse(textOf(body, "utf-8"));
  } catch (error) {
    if (error instanceof RangeError) throw notJson("it is nested too deeply");
    if (!(error instanceof SyntaxError)) throw error;
    throw notJson(error.message);
  }
}

function notJson(why: string): Refused {
  return new Refused(400, "invalid-input", `the body is not JSON: ${why}`);
}

export function isJson(request: Request): boolean {
  return mediaTypeOf(request) === "application/json";
}

/** The content type without its parameters, in lower case. */
export function mediaTypeOf({ headers }: Request): string {
  return (headers.get("content-type") ?? "").split(";", 1).join("").trim().toLowerCase();
}

function charsetOf({ headers }: Request): string {
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(headers.get("content-type") ?? "")?.[1] ?? "utf-8";
}

function textOf(body: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body);
  } catch {
    throw new Refused(
      415,
      "no-text",
      `the body is no text in ${charset}; send JSON or text in UTF-8, and binary data as base64`,
    );
  }
}
