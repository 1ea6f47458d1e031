/** A modal dialog: the browser's own, so that focus, Escape and the background are right. */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { h } from "../element.ts";
import { Button } from "./parts.ts";

export function Dialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
  readonly wide?: boolean;
}): VNode {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return h(
    "dialog",
    {
      ref,
      class: props.wide === true ? "wide" : undefined,
      "aria-label": props.title,
      onCancel: (event: Event) => {
        event.preventDefault();
        props.onClose();
      },
    },
    h(
      "header",
      {},
      h("h2", {}, props.title),
      h(Button, { kind: "quiet", icon: "close", label: "Close", onClick: props.onClose }),
    ),
    props.children,
  );
}

/** A labelled field. */
export function Field(props: {
  readonly label: string;
  readonly hint?: string;
  readonly children: ComponentChildren;
}): VNode {
  return h(
    "label",
    { class: "field" },
    h("span", { class: "label" }, props.label),
    props.children,
    props.hint === undefined ? null : h("span", { class: "hint" }, props.hint),
  );
}
