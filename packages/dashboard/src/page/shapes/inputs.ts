/** Parts of the inputs of known orchestrations. */

export type FieldKind = "text" | "number" | "whole" | "choice" | "json";

/** One field of a form. */
export interface FieldView {
  /** Path of its value in the input; empty for an input that is one value. */
  readonly path: readonly string[];
  readonly kind: FieldKind;
  /** The input is refused without it. */
  readonly isRequired: boolean;
  readonly title?: string;
  readonly hint?: string;
  /** The values to choose from, for `choice`. */
  readonly choices?: readonly (string | number | boolean | null)[];
  readonly least?: number;
  readonly most?: number;
  readonly mostLength?: number;
}

/** An orchestration whose code the dashboard was given. */
export interface KnownInput {
  readonly name: string;
  readonly version: string;
  /** Missing where its input has no schema that says its form. */
  readonly fields?: readonly FieldView[];
}

export interface InputsView {
  readonly rows: readonly KnownInput[];
}
