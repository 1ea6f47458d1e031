/** A labelled field for one line of text. */
import type { VNode } from "preact";
import { h } from "../element.ts";
import { Field } from "./dialog.ts";

export interface TextFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly maxLength?: number;
  /** Whether it has the focus when its dialog opens; the first one of a dialog counts. */
  readonly autofocus?: boolean;
}

export function TextField({ label, hint, value, onChange, ...more }: TextFieldProps): VNode {
  return h(
    Field,
    { label, hint },
    h("input", {
      type: "text",
      value,
      ...more,
      onInput: (event: InputEvent & { readonly currentTarget: HTMLInputElement }) =>
        onChange(event.currentTarget.value),
    }),
  );
}
