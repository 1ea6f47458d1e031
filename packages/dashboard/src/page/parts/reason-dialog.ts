/** Asks for the reason of an action, and does it. */
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { h } from "../element.ts";
import { Dialog } from "./dialog.ts";
import { Button } from "./parts.ts";
import { Outcome, ReasonField, useAction } from "./reason.ts";

export interface ReasonDialogProps {
  readonly title: string;
  /** Effect of the action, in sentences. */
  readonly explains: string;
  /** Name on its button. */
  readonly label: string;
  readonly isDangerous: boolean;
  readonly needsReason?: boolean;
  /** Whether something else is to be filled in first. */
  readonly disabled?: boolean;
  /** Fields behind that of the reason. */
  readonly children?: ComponentChildren;
  readonly act: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ReasonDialog(props: ReasonDialogProps): VNode {
  const { title, explains, label, isDangerous, act, onClose, onDone } = props;
  const { needsReason = false, disabled = false } = props;
  const [reason, setReason] = useState("");
  const { run, fault, isRunning } = useAction(
    () => act(reason),
    () => {
      onDone();
      onClose();
    },
  );
  return h(
    Dialog,
    { title, onClose },
    h("p", {}, explains),
    h(ReasonField, { value: reason, onChange: setReason }),
    props.children,
    h(Outcome, { fault }),
    h(
      "footer",
      {},
      h(Button, { onClick: onClose }, "Keep as it is"),
      h(
        Button,
        {
          kind: isDangerous ? "danger" : "main",
          disabled: isRunning || disabled || (needsReason && reason.trim() === ""),
          onClick: run,
        },
        label,
      ),
    ),
  );
}
