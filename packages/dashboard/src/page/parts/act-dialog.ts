/** Asks for the reason of an action on one instance, and does it. */
import type { OperatorVerb } from "@duroxide-ts/core/operate";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { post } from "../browser/api.ts";
import { h } from "../element.ts";
import { ReasonDialog } from "./reason-dialog.ts";
import { useWords } from "./session-context.ts";

export interface ActDialogProps {
  readonly verb: OperatorVerb;
  readonly id: string;
  /** Last event that a rewind keeps. */
  readonly toEvent?: number;
  /** It has not ended: a deletion has to be confirmed once more. */
  readonly isOpen?: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ActDialog({ verb, id, toEvent, isOpen = false, onClose, onDone }: ActDialogProps): VNode {
  const [force, setForce] = useState(false);
  const asksForForce = verb === "delete" && isOpen;
  const { label, explains, isDangerous, needsReason } = useWords()(verb);
  return h(
    ReasonDialog,
    {
      title: `${label} ${id}`,
      explains: toEvent === undefined ? explains : `${explains} The last event that stays is ${toEvent}.`,
      label,
      isDangerous,
      needsReason,
      disabled: asksForForce && !force,
      act: (reason) =>
        verb === "rewind"
          ? post("rewind", { id, toEvent, reason })
          : post("act", { verb, id, reason, force }),
      onClose,
      onDone,
    },
    asksForForce
      ? h(ForceField, { label: "It runs. Delete it all the same", value: force, onChange: setForce })
      : null,
  );
}

/** The choice to force a deletion: its workers meet nothing any more. */
export function ForceField(props: {
  readonly label: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}): VNode {
  return h(
    "label",
    { class: "check" },
    h("input", {
      type: "checkbox",
      checked: props.value,
      onChange: (event: Event & { readonly currentTarget: HTMLInputElement }) =>
        props.onChange(event.currentTarget.checked),
    }),
    h("span", {}, props.label),
  );
}
