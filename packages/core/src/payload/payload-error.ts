import { isError } from "../errors/thrown-value.ts";

/** A value cannot be encoded. Nothing was stored; the message names the value's place and the remedy. */
export class PayloadError extends Error {
  override readonly name = "PayloadError";
  /** Name of the codec that threw. */
  readonly codec: string;
  /** Path from the encoded value down, such as `items[3].price`; empty for the value itself. */
  readonly path: string;

  constructor(codec: string, path: string, reason: string, options?: ErrorOptions) {
    super(`${path === "" ? "the value" : path} ${reason}`, options);
    this.codec = codec;
    this.path = path;
  }

  /** Recognises the error by its name, also when it comes from another copy of this package. */
  static is(value: unknown): value is PayloadError {
    return isError(value) && value.name === "PayloadError" && "codec" in value;
  }
}
