/** Asks for the reason of an action on a schedule, and does it. */
import type { VNode } from "preact";
import { post } from "../../browser/api.ts";
import { h } from "../../element.ts";
import { ReasonDialog } from "../../parts/reason-dialog.ts";

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
  const { label, explains } = TEXTS[verb];
  return h(ReasonDialog, {
    title: `${label} ${name}`,
    explains,
    label,
    isDangerous: verb === "delete",
    act: (reason) => post("act-on-schedule", { verb, name, reason }),
    onClose,
    onDone,
  });
}
