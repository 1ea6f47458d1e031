/** Asks for the reason of an action on one instance, and does it. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { post } from "../browser/api.ts";
import { h } from "../element.ts";
import type { Verb } from "../shapes/session.ts";
import { Dialog, Field } from "./dialog.ts";
import { Button } from "./parts.ts";
import { useWords } from "./session-context.ts";

export interface ActDialogProps {
  readonly verb: Verb;
  readonly id: string;
  /** Last event that a rewind keeps. */
  readonly toEvent?: number;
  /** It has not ended: a deletion has to be confirmed once more. */
  readonly isOpen?: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ActDialog({ verb, id, toEvent, isOpen = false, onClose, onDone }: ActDialogProps): VNode {
  const [reason, setReason] = useState("");
  const [force, setForce] = useState(false);
  const asksForForce = verb === "delete" && isOpen;
  const { label, explains, isDangerous, needsReason } = useWords()(verb);
  const { run, fault, isRunning } = useAction(
    () =>
      verb === "rewind" ? post("rewind", { id, toEvent, reason }) : post("act", { verb, id, reason, force }),
    () => {
      onDone();
      onClose();
    },
  );
  return h(
    Dialog,
    { title: `${label} ${id}`, onClose },
    h("p", {}, toEvent === undefined ? explains : `${explains} The last event that stays is ${toEvent}.`),
    h(ReasonField, { value: reason, onChange: setReason }),
    asksForForce
      ? h(ForceField, { label: "It runs. Delete it all the same", value: force, onChange: setForce })
      : null,
    h(Outcome, { fault }),
    h(
      "footer",
      {},
      h(Button, { onClick: onClose }, "Keep as it is"),
      h(
        Button,
        {
          kind: isDangerous ? "danger" : "main",
          disabled: isRunning || (needsReason && reason.trim() === "") || (asksForForce && !force),
          onClick: run,
        },
        label,
      ),
    ),
  );
}

export function ReasonField(props: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}): VNode {
  return h(
    Field,
    { label: "Reason", hint: "Kept in the log with your name." },
    h("input", {
      type: "text",
      value: props.value,
      maxLength: 500,
      autofocus: true,
      onInput: (event: InputEvent & { readonly currentTarget: HTMLInputElement }) =>
        props.onChange(event.currentTarget.value),
    }),
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

export function Outcome({ fault }: { readonly fault: string | undefined }): VNode {
  return h("p", { class: "fault", role: "alert" }, fault ?? "");
}

interface Action {
  run(): void;
  readonly isRunning: boolean;
  readonly fault: string | undefined;
}

/** One action at a time, with the server's message where it is refused. */
export function useAction<T>(act: () => Promise<T>, onDone: (result: T) => void): Action {
  const [isRunning, setRunning] = useState(false);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const run = (): void => {
    setRunning(true);
    setFault(undefined);
    act().then(
      (result) => {
        setRunning(false);
        onDone(result);
      },
      (error: unknown) => {
        setRunning(false);
        setFault(error instanceof Error ? error.message : String(error));
      },
    );
  };
  return { run, isRunning, fault };
}
