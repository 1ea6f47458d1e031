/** Delivers a message again that did not fit its wait, corrected if need be. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { postTyped } from "../browser/api.ts";
import { visible } from "../browser/format.ts";
import { h } from "../element.ts";
import type { ShownMisfit } from "../shapes/instance.ts";
import { JsonField, jsonFault } from "./json-field.ts";
import { ReasonDialog } from "./reason-dialog.ts";
import { useWords } from "./session-context.ts";

export interface RedeliverDialogProps {
  readonly id: string;
  readonly executionId: number;
  readonly message: ShownMisfit;
  readonly onClose: () => void;
}

export function RedeliverDialog({ id, executionId, message, onClose }: RedeliverDialogProps): VNode {
  const [data, setData] = useState("");
  const { label, explains } = useWords()("redeliver");
  return h(ReasonDialog, {
    title: `${label}: ${message.kind} ${visible(message.name)}`,
    explains,
    label,
    close: "Close",
    disabled: jsonFault(data) !== undefined,
    fields: [
      h("p", { class: "fault" }, visible(message.misfit)),
      h(JsonField, {
        label: "Corrected message, as JSON",
        value: data,
        empty: "Empty for the message as it is stored, for code that takes it now.",
        onChange: setData,
      }),
    ],
    act: (reason) =>
      postTyped("redeliver", { id, execution: executionId, event: message.id, reason }, "data", data),
    onClose,
  });
}
