/** A dialog that does one thing: what that means, its fields, and what became of it. */
import type { ComponentChildren, VNode } from "preact";
import { h } from "../element.ts";
import { Dialog } from "./dialog.ts";
import { Button } from "./parts.ts";
import { Outcome, useAction } from "./reason.ts";

export interface ActionDialogProps {
  readonly title: string;
  /** Effect of the action, in sentences. */
  readonly explains: string;
  /** Name on its button. */
  readonly label: string;
  readonly isDangerous?: boolean;
  /** Whether something is to be filled in first. */
  readonly disabled?: boolean;
  /** Name on the button that closes the dialog; "Keep as it is" by default. */
  readonly close?: string;
  readonly children?: ComponentChildren;
  readonly act: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Called before it is closed. */
  readonly onDone?: () => void;
}

export function ActionDialog(props: ActionDialogProps): VNode {
  const { title, explains, label, isDangerous = false, disabled = false, onClose } = props;
  const { run, fault, isRunning } = useAction(props.act, () => {
    props.onDone?.();
    onClose();
  });
  return h(
    Dialog,
    { title, onClose },
    h("p", {}, explains),
    props.children,
    h(Outcome, { fault }),
    h(
      "footer",
      {},
      h(Button, { onClick: onClose }, props.close ?? "Keep as it is"),
      h(
        Button,
        { kind: isDangerous ? "danger" : "main", disabled: isRunning || disabled, onClick: run },
        label,
      ),
    ),
  );
}
