/** Why a stream cannot be written or read. */
import { DuroxideError, type DuroxideErrorCode } from "./duroxide-error.ts";

/** The codes of streams. */
export type StreamErrorCode = Extract<DuroxideErrorCode, "not-found" | "ended" | "gone">;

/**
 * `ended`: a value is for a stream that is closed, or whose instance has ended. `not-found`: the instance whose stream is
 * read was never started. `gone`: it was deleted while its stream was read.
 */
export class StreamError extends DuroxideError {
  protected static override readonly codes: readonly DuroxideErrorCode[] = ["not-found", "ended", "gone"];
  override readonly name = "StreamError";
  readonly instanceId: string;
  readonly stream: string;

  constructor(code: StreamErrorCode, { instanceId, stream }: Pick<StreamError, "instanceId" | "stream">) {
    super(code, `stream "${stream}" of instance "${instanceId}" ${MESSAGES[code]}`);
    this.instanceId = instanceId;
    this.stream = stream;
  }
}

const MESSAGES: Readonly<Record<StreamErrorCode, string>> = {
  ended: "is closed: nothing can be written to it any more; close it after the last value",
  "not-found": "cannot be read: the instance was never started, or was deleted; start it before you read",
  gone: "cannot be read any more: the instance was deleted; read that of another one",
};
