/** A count on request, because the store charges for it: the button, and what was found. */
import type { ComponentChildren, VNode } from "preact";
import { get } from "../browser/api.ts";
import { h } from "../element.ts";
import { Button } from "./parts.ts";
import { Outcome, useAction } from "./reason.ts";

export interface CountLineProps<Counted> {
  /** Path in the API. */
  readonly path: string;
  readonly counted: Counted | undefined;
  readonly onCounted: (counted: Counted) => void;
  /** Result of the count; before it, what it reads. */
  readonly children: ComponentChildren;
}

export function CountLine<Counted>(props: CountLineProps<Counted>): VNode {
  const { path, counted, onCounted, children } = props;
  const { run, fault, isRunning } = useAction(() => get<Counted>(path), onCounted);
  return h(
    "div",
    { class: "counted" },
    h(Button, { disabled: isRunning, onClick: run }, counted === undefined ? "Count" : "Count again"),
    h("p", { class: "quiet", role: "status" }, children),
    fault === undefined ? null : h(Outcome, { fault }),
  );
}
