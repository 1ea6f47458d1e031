/**
 * Why a stored text cannot be read, or a value cannot be stored. Only the codecs of this folder throw it. It names the
 * field, so that a damaged row can be found and repaired.
 */
export type WireErrorCode =
  /** The text is not JSON, or has a lone surrogate, which UTF-8 cannot encode. */
  | "invalid-json"
  | "missing-field"
  /** Not the type, range or length that the field has. */
  | "invalid-value"
  /** A `type`, tag or kind that this version does not know. */
  | "unknown-variant";

/** The parts of a WireError. */
export interface WireErrorOptions {
  readonly code: WireErrorCode;
  /** The fault, as the rest of a sentence that starts with the field. */
  readonly detail: string;
  /** The kind of document that was read or written, such as "event". */
  readonly subject?: string;
  /** Path from the document down, such as `details.Application.kind`; empty for the document itself. */
  readonly path?: string;
  readonly cause?: unknown;
}

/** A stored text cannot be read, or a value cannot be stored; `path` names the field. */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly code: WireErrorCode;
  readonly detail: string;
  readonly subject: string;
  readonly path: string;

  constructor({ code, detail, subject = "value", path = "", cause }: WireErrorOptions) {
    super(
      `${subject}${path === "" ? "" : ` ${path}`}: ${detail}`,
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
    this.detail = detail;
    this.subject = subject;
    this.path = path;
  }

  /** Recognises the error by its name, also when it comes from another copy of this package. */
  static is(value: unknown): value is WireError {
    return value instanceof Error && value.name === "WireError" && "path" in value;
  }

  /** The same error with the step to the field prepended to its path. Returns other errors unchanged. */
  static within(step: string, error: unknown): unknown {
    if (!WireError.is(error)) return error;
    const joint = error.path === "" || error.path.startsWith("[") ? "" : ".";
    return new WireError({ ...copyOf(error), path: `${step}${joint}${error.path}` });
  }

  /** The same error with the kind of document. Returns other errors unchanged. */
  static about(subject: string, error: unknown): unknown {
    return WireError.is(error) ? new WireError({ ...copyOf(error), subject }) : error;
  }
}

function copyOf({ code, detail, subject, path, cause }: WireError): WireErrorOptions {
  return { code, detail, subject, path, cause };
}
