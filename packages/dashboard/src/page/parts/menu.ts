/** A list of actions behind a button. It closes by Escape, by a choice, and by a click elsewhere. */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { h } from "../element.ts";
import { type IconName, icon } from "./icons.ts";

export interface MenuItem {
  readonly label: string;
  readonly onChoose: () => void;
  readonly isDangerous?: boolean;
}

export function Menu(props: {
  readonly label: string;
  readonly icon?: IconName;
  readonly items: readonly MenuItem[];
  readonly children?: ComponentChildren;
}): VNode {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = (event: Event): void => {
      const isInside = event.target instanceof Node && ref.current?.contains(event.target) === true;
      if (event instanceof KeyboardEvent ? event.key === "Escape" : !isInside) setOpen(false);
    };
    document.addEventListener("pointerdown", close);
    document.addEventListener("keydown", close);
    return () => {
      document.removeEventListener("pointerdown", close);
      document.removeEventListener("keydown", close);
    };
  }, [isOpen]);
  return h(
    "div",
    { class: "menu", ref },
    h(
      "button",
      {
        type: "button",
        class: "button",
        "aria-expanded": isOpen,
        "aria-label": props.children === undefined ? props.label : undefined,
        onClick: () => setOpen(!isOpen),
      },
      props.children,
      icon(props.icon ?? "down"),
    ),
    isOpen
      ? h(
          "ul",
          { "aria-label": props.label },
          ...props.items.map((item) =>
            h(
              "li",
              { key: item.label },
              h(
                "button",
                {
                  type: "button",
                  class: item.isDangerous === true ? "dangerous" : undefined,
                  onClick: () => {
                    setOpen(false);
                    item.onChoose();
                  },
                },
                item.label,
              ),
            ),
          ),
        )
      : null,
  );
}
