/** How a stored value reaches the page: as text, decoded and redacted by the server. */

/** A payload as it is shown. */
export interface ShownPayload {
  /** JSON with line breaks; without them where the value is nested deeply. Empty where `fault` is set. */
  readonly text: string;
  /** Size of the whole text in UTF-8. */
  readonly bytes: number;
  /** The text is a part; the whole of it is loaded on request. */
  readonly isCut: boolean;
  /** Address of the whole text, relative to the API; set if the text is cut. */
  readonly load?: string;
  /** Why the codec could not decode it. */
  readonly fault?: string;
}

/** A failure as it is shown. */
export interface ShownFailure {
  readonly category:
    | "application"
    | "cancelled"
    | "clean-up-failed"
    | "configuration"
    | "infrastructure"
    | "poison";
  /** The class of the error, where it is known. */
  readonly name?: string;
  readonly message: string;
  /** One frame a line. */
  readonly stack?: string;
  /** The whole failure as it is stored, as JSON. */
  readonly details: string;
}
