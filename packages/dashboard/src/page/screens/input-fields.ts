/** The input of a start: a form where its fields are known, JSON otherwise and by choice. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { h } from "../element.ts";
import { JsonField, jsonFault, jsonValue, valueFault } from "../parts/json-field.ts";
import { Button } from "../parts/parts.ts";
import { ValueForm } from "../parts/value-form.ts";
import type { FieldView } from "../shapes/inputs.ts";

export function InputFields(props: {
  readonly fields: readonly FieldView[] | undefined;
  /** Value as JSON. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}): VNode {
  const { fields, value, onChange } = props;
  const [isJson, setJson] = useState(false);
  const json = h(JsonField, { label: "Input, as JSON", value, onChange });
  if (fields === undefined) return json;
  const fault = jsonFault(value) ?? valueFault(value);
  return h(
    "fieldset",
    {},
    h("legend", {}, "Input"),
    isJson || fault !== undefined
      ? json
      : h(ValueForm, {
          fields,
          value: jsonValue(value),
          onChange: (next: unknown) => onChange(next === undefined ? "" : JSON.stringify(next, null, 2)),
        }),
    h(
      Button,
      { kind: "quiet", disabled: fault !== undefined, onClick: () => setJson(!isJson) },
      isJson || fault !== undefined ? "Edit as a form" : "Edit as JSON",
    ),
  );
}
