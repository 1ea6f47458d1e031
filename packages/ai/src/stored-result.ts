/**
 * Results of models as history has them.
 *
 * - stored-result.R1: The request and the raw response are left out: each has the whole conversation so far, and the history
 *   would grow with its square.
 * - stored-result.R2: What JSON cannot hold in the metadata of a provider is left out or changed. Refusing it would repeat a
 *   call that is paid for, and that gives the same again.
 */
import type { GenerateResult, ModelContent } from "./sdk-types.ts";

/** Returns what JSON holds of a result. */
export function toStored(result: GenerateResult): unknown {
  const { request: _request, response, content, ...rest } = result;
  const { headers: _headers, body: _body, ...metadata } = response ?? {};
  return asJson({ ...rest, content: content.map(withText), response: metadata });
}

function asJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, member) =>
    typeof member === "bigint" ? Number(member) : member,
  );
  return JSON.parse(text);
}

/** The result that was stored. One without a time gets `nowMs`, because the SDK would read the clock for it. */
export function fromStored(stored: unknown, nowMs: number): GenerateResult {
  const result = stored as GenerateResult;
  const timestamp = new Date(result.response?.timestamp ?? nowMs);
  return { ...result, response: { ...result.response, timestamp } };
}

/** Bytes of a file as base64. */
function withText(content: ModelContent): ModelContent {
  if (content.type !== "file" && content.type !== "reasoning-file") return content;
  const { data } = content;
  if (data.type !== "data" || typeof data.data === "string") return content;
  return { ...content, data: { ...data, data: Buffer.from(data.data).toString("base64") } };
}
