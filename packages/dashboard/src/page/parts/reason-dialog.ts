/** Asks for the reason of an action, and does it. */
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { h } from "../element.ts";
import { ActionDialog, type ActionDialogProps } from "./action-dialog.ts";
import { ReasonField } from "./reason.ts";

export interface ReasonDialogProps extends Omit<ActionDialogProps, "act"> {
  readonly needsReason?: boolean;
  /** Fields before that of the reason. */
  readonly fields?: ComponentChildren;
  readonly act: (reason: string) => Promise<unknown>;
}

/** Its children stand behind the field of the reason. */
export function ReasonDialog(props: ReasonDialogProps): VNode {
  const { needsReason = false, disabled = false, fields, act, children, ...action } = props;
  const [reason, setReason] = useState("");
  const isMissing = needsReason && reason.trim() === "";
  return h(
    ActionDialog,
    { ...action, disabled: disabled || isMissing, act: () => act(reason) },
    fields,
    h(ReasonField, { value: reason, onChange: setReason }),
    children,
  );
}
