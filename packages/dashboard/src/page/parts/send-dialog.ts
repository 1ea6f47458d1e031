/** Raises an event or enqueues a message, with the names of the waits that are open. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { postTyped } from "../browser/api.ts";
import { h } from "../element.ts";
import { ActionDialog } from "./action-dialog.ts";
import { Field } from "./dialog.ts";
import { JsonField, jsonFault } from "./json-field.ts";
import { useWords } from "./session-context.ts";

export interface SendDialogProps {
  readonly verb: "raise" | "enqueue";
  readonly id: string;
  /** Names that the instance waits for. */
  readonly names: readonly string[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function SendDialog({ verb, id, names, onClose, onDone }: SendDialogProps): VNode {
  const [name, setName] = useState(names[0] ?? "");
  const [data, setData] = useState("");
  const { label, explains } = useWords()(verb);
  return h(
    ActionDialog,
    {
      title: `${label}: ${id}`,
      explains,
      label,
      close: "Close",
      disabled: name === "" || jsonFault(data) !== undefined,
      act: () => postTyped(verb, { id, name }, "data", data),
      onClose,
      onDone,
    },
    h(
      Field,
      { label: verb === "raise" ? "Event" : "Queue" },
      h("input", {
        type: "text",
        value: name,
        list: "open-names",
        autofocus: true,
        onInput: (event: InputEvent & { readonly currentTarget: HTMLInputElement }) =>
          setName(event.currentTarget.value),
      }),
      h("datalist", { id: "open-names" }, ...names.map((one) => h("option", { key: one, value: one }))),
    ),
    h(JsonField, { label: "Data, as JSON", value: data, onChange: setData }),
  );
}
