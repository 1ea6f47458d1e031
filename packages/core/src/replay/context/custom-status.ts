/** Sets the custom status: checks it, applies it, records it. An invalid status changes nothing. */
import { MAX_CUSTOM_STATUS_BYTES } from "../../define/limits.ts";
import { validate, validateStored } from "../../define/standard-schema.ts";
import { LimitExceededError } from "../../errors/duroxide-error.ts";
import { encodePayload } from "../../payload/encode-payload.ts";
import { exceedsUtf8, utf8Bytes } from "../../wire/utf8.ts";
import { CUSTOM_STATUS } from "../calls/custom-status.ts";
import type { Recorder, RunningCode } from "../code/recorder.ts";

/** `undefined` clears it. */
export function setCustomStatus(code: RunningCode, recorder: Recorder, status: unknown): void {
  const { codec } = code.surroundings;
  const { customStatus: schema, name } = code.identity.program;
  if (status !== undefined && schema !== undefined)
    validate(schema, status, `custom status of orchestration "${name}"`);
  const text = status === undefined ? null : encodePayload(codec, status, "custom-status", name);
  if (text !== null && exceedsUtf8(text, MAX_CUSTOM_STATUS_BYTES)) {
    throw new LimitExceededError(
      `Custom status size (${utf8Bytes(text)} bytes) exceeds limit (${MAX_CUSTOM_STATUS_BYTES} bytes)`,
    );
  }
  code.status = text;
  recorder.emit(CUSTOM_STATUS, { status: text });
}

/** `undefined` where there is none. */
export function customStatusOf({ status, surroundings, identity }: RunningCode): unknown {
  if (status === null) return undefined;
  const { customStatus: schema, name } = identity.program;
  const value = surroundings.codec.decode(status);
  return schema === undefined
    ? value
    : validateStored(schema, value, `custom status of orchestration "${name}"`);
}
