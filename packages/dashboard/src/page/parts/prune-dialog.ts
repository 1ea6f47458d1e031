/** Deletes old executions of an instance. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { post } from "../browser/api.ts";
import { h } from "../element.ts";
import { Dialog, Field } from "./dialog.ts";
import { Button } from "./parts.ts";
import { Outcome, ReasonField, useAction } from "./reason.ts";
import { useWords } from "./session-context.ts";

export function PruneDialog(props: {
  readonly id: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): VNode {
  const { id, onClose, onDone } = props;
  const [keepLast, setKeepLast] = useState(1);
  const [reason, setReason] = useState("");
  const { run, fault, isRunning } = useAction(
    () => post("prune", { id, keepLast, reason }),
    () => {
      onDone();
      onClose();
    },
  );
  const { label, explains } = useWords()("prune");
  return h(
    Dialog,
    { title: `${label}: ${id}`, onClose },
    h("p", {}, explains),
    h(
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
    h(ReasonField, { value: reason, onChange: setReason }),
    h(Outcome, { fault }),
    h(
      "footer",
      {},
      h(Button, { onClick: onClose }, "Keep as it is"),
      h(Button, { kind: "danger", disabled: isRunning, onClick: run }, label),
    ),
  );
}
