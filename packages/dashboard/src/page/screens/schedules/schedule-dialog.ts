/** Asks for the reason of an action on a schedule, and does it. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { post } from "../../browser/api.ts";
import { h } from "../../element.ts";
import { Outcome, ReasonField, useAction } from "../../parts/act-dialog.ts";
import { Dialog } from "../../parts/dialog.ts";
import { Button } from "../../parts/parts.ts";

export type ScheduleVerb = "pause" | "resume" | "trigger" | "delete";

const TEXTS: Readonly<Record<ScheduleVerb, { readonly label: string; readonly explains: string }>> = {
  pause: {
    label: "Pause",
    explains: "No due time runs until it is resumed, and what is due meanwhile never does.",
  },
  resume: { label: "Resume", explains: "Due times run again." },
  trigger: { label: "Trigger", explains: "A run starts now, whatever runs." },
  delete: { label: "Delete", explains: "The schedule is forgotten. Its runs stay." },
};

interface ScheduleDialogProps {
  readonly verb: ScheduleVerb;
  readonly name: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ScheduleDialog({ verb, name, onClose, onDone }: ScheduleDialogProps): VNode {
  const [reason, setReason] = useState("");
  const { label, explains } = TEXTS[verb];
  const { run, fault, isRunning } = useAction(
    () => post("act-on-schedule", { verb, name, reason }),
    () => {
      onDone();
      onClose();
    },
  );
  return h(
    Dialog,
    { title: `${label} ${name}`, onClose },
    h("p", {}, explains),
    h(ReasonField, { value: reason, onChange: setReason }),
    h(Outcome, { fault }),
    h(
      "footer",
      {},
      h(Button, { onClick: onClose }, "Keep as it is"),
      h(Button, { kind: verb === "delete" ? "danger" : "main", disabled: isRunning, onClick: run }, label),
    ),
  );
}
