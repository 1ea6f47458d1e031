/** A field for a JSON value; an empty one is no value. */
import type { VNode } from "preact";
import { h } from "../element.ts";
import { Field } from "./dialog.ts";

export function JsonField(props: {
  readonly label: string;
  readonly value: string;
  /** Meaning of an empty field. */
  readonly empty?: string;
  readonly onChange: (value: string) => void;
}): VNode {
  const fault = jsonFault(props.value);
  return h(
    Field,
    { label: props.label, hint: fault ?? props.empty ?? "Empty for no value." },
    h("textarea", {
      rows: 6,
      spellcheck: false,
      value: props.value,
      "aria-invalid": fault === undefined ? undefined : "true",
      onInput: (event: InputEvent & { readonly currentTarget: HTMLTextAreaElement }) =>
        props.onChange(event.currentTarget.value),
    }),
  );
}

export function jsonFault(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : "This is not JSON.";
  }
}

/** Returns why a form cannot hold the value, which the JSON can. */
export function valueFault(text: string): string | undefined {
  const numbers = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[\d.eE+-]*/g) ?? [];
  const lost = numbers.find((number) => !isHeld(number));
  return lost === undefined ? undefined : `${lost} has too many digits for a form.`;
}

function isHeld(number: string): boolean {
  const value = Number(number);
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

export function jsonValue(text: string): unknown {
  return text.trim() === "" ? undefined : (JSON.parse(text) as unknown);
}
