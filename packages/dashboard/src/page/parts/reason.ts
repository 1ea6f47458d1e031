/** The parts of dialogs that act: the reason, and what became of the action. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { h } from "../element.ts";
import { TextField } from "./text-field.ts";

export function ReasonField(props: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}): VNode {
  const hint = "Kept in the log with your name.";
  return h(TextField, { label: "Reason", hint, maxLength: 500, autofocus: true, ...props });
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
