/** A form for an input, from its fields. The browser checks limits and missing values when the form is sent. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { h } from "../element.ts";
import type { FieldView } from "../shapes/inputs.ts";
import { Field } from "./dialog.ts";
import { jsonFault, valueFault } from "./json-field.ts";
import { valueAt, withValue } from "./value-path.ts";

export function ValueForm(props: {
  readonly fields: readonly FieldView[];
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}): VNode {
  return h(
    "div",
    { class: "value-form" },
    ...props.fields.map((field) =>
      h(Input, {
        key: field.path.join("\n"),
        field,
        value: valueAt(props.value, field.path),
        onChange: (value: unknown) => props.onChange(withValue(props.value, field.path, value)),
      }),
    ),
  );
}

interface InputProps {
  readonly field: FieldView;
  readonly value: unknown;
  /** `undefined` for no value. */
  readonly onChange: (value: unknown) => void;
}

type Element = HTMLInputElement | HTMLTextAreaElement;

function Input(props: InputProps): VNode {
  const { field } = props;
  const label = `${field.title ?? (field.path.join(".") || "Input")}${field.isRequired ? "" : ", optional"}`;
  const control = { choice: Choice, json: Json, text: Line, number: Figure, whole: Figure }[field.kind];
  return h(Field, { label, ...(field.hint !== undefined && { hint: field.hint }) }, h(control, props));
}

function Line({ field, value, onChange }: InputProps): VNode {
  return h("input", {
    type: "text",
    required: field.isRequired,
    maxLength: field.mostLength,
    value: typeof value === "string" ? value : "",
    onInput: (event: InputEvent & { readonly currentTarget: Element }) =>
      onChange(event.currentTarget.value === "" ? undefined : event.currentTarget.value),
  });
}

function Figure({ field, value, onChange }: InputProps): VNode {
  return h("input", {
    type: "number",
    required: field.isRequired,
    min: field.least,
    max: field.most,
    step: field.kind === "whole" ? 1 : "any",
    // While the user types, the text may be no number yet; the browser keeps it.
    defaultValue: typeof value === "number" ? String(value) : "",
    onInput: (event: InputEvent & { readonly currentTarget: HTMLInputElement }) => {
      const { valueAsNumber: number, value: typed } = event.currentTarget;
      event.currentTarget.setCustomValidity(valueFault(typed) ?? "");
      onChange(Number.isNaN(number) ? undefined : number);
    },
  });
}

function Choice({ field, value, onChange }: InputProps): VNode {
  const choices: readonly unknown[] = field.choices ?? [];
  const chosen = choices.indexOf(value);
  return h(
    "select",
    {
      required: field.isRequired,
      value: chosen === -1 ? "" : String(chosen),
      onChange: (event: Event & { readonly currentTarget: HTMLSelectElement }) => {
        const index = event.currentTarget.value;
        onChange(index === "" ? undefined : choices[Number(index)]);
      },
    },
    h("option", { value: "" }, ""),
    ...choices.map((choice, index) => h("option", { key: index, value: String(index) }, String(choice))),
  );
}

function Json({ field, value, onChange }: InputProps): VNode {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  return h("textarea", {
    rows: 3,
    spellcheck: false,
    required: field.isRequired,
    placeholder: "JSON",
    value: text,
    onInput: (event: InputEvent & { readonly currentTarget: HTMLTextAreaElement }) => {
      const area = event.currentTarget;
      const fault = jsonFault(area.value) ?? valueFault(area.value);
      setText(area.value);
      area.setCustomValidity(fault ?? "");
      if (fault === undefined) onChange(area.value.trim() === "" ? undefined : JSON.parse(area.value));
    },
  });
}
