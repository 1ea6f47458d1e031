/** Deletes old executions of an instance. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { post } from "../browser/api.ts";
import { h } from "../element.ts";
import { Field } from "./dialog.ts";
import { ReasonDialog } from "./reason-dialog.ts";
import { useWords } from "./session-context.ts";

export function PruneDialog(props: {
  readonly id: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): VNode {
  const { id, onClose, onDone } = props;
  const [keepLast, setKeepLast] = useState(1);
  const { label, explains } = useWords()("prune");
  return h(ReasonDialog, {
    title: `${label}: ${id}`,
    explains,
    label,
    isDangerous: true,
    fields: h(
      Field,
      { label: "Executions to keep" },
      h("input", {
        type: "number",
        min: 1,
        value: keepLast,
        onInput: (event: InputEvent & { readonly currentTarget: HTMLInputElement }) =>
          setKeepLast(Math.max(1, Math.floor(event.currentTarget.valueAsNumber || 1))),
      }),
    ),
    act: (reason) => post("prune", { id, keepLast, reason }),
    onClose,
    onDone,
  });
}
