/** Delivers a message again that did not fit its wait, corrected if need be. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { postTyped } from "../browser/api.ts";
import { visible } from "../browser/format.ts";
import { h } from "../element.ts";
import type { ShownMisfit } from "../shapes/instance.ts";
import { Dialog } from "./dialog.ts";
import { JsonField, jsonFault } from "./json-field.ts";
import { Button } from "./parts.ts";
import { Outcome, ReasonField, useAction } from "./reason.ts";
import { useWords } from "./session-context.ts";

export interface RedeliverDialogProps {
  readonly id: string;
  readonly executionId: number;
  readonly message: ShownMisfit;
  readonly onClose: () => void;
}

export function RedeliverDialog({ id, executionId, message, onClose }: RedeliverDialogProps): VNode {
  const [data, setData] = useState("");
  const [reason, setReason] = useState("");
  const body = { id, execution: executionId, event: message.id, reason };
  const { run, fault, isRunning } = useAction(() => postTyped("redeliver", body, "data", data), onClose);
  const { label, explains } = useWords()("redeliver");
  return h(
    Dialog,
    { title: `${label}: ${message.kind} ${visible(message.name)}`, onClose },
    h("p", {}, explains),
    h("p", { class: "fault" }, visible(message.misfit)),
    h(JsonField, {
      label: "Corrected message, as JSON",
      value: data,
      empty: "Empty for the message as it is stored, for code that takes it now.",
      onChange: setData,
    }),
    h(ReasonField, { value: reason, onChange: setReason }),
    h(Outcome, { fault }),
    h(
      "footer",
      {},
      h(Button, { onClick: onClose }, "Close"),
      h(Button, { kind: "main", disabled: isRunning || jsonFault(data) !== undefined, onClick: run }, label),
    ),
  );
}
