/** The way through a list that the store answers in pages, and what its page cost. */
import type { VNode } from "preact";
import { go, withQuery } from "../browser/place.ts";
import { h } from "../element.ts";
import { Button } from "./parts.ts";

export function Pages(props: {
  readonly isFirst: boolean;
  /** Continuation of the next page; none after the last one. */
  readonly continuation: string | undefined;
  readonly cost?: string;
}): VNode {
  const { isFirst, continuation, cost = "" } = props;
  return h(
    "div",
    { class: "pages" },
    h(Button, {
      icon: "previous",
      label: "Previous page",
      disabled: isFirst,
      onClick: () => window.history.back(),
    }),
    h(Button, {
      icon: "next",
      label: "Next page",
      disabled: continuation === undefined,
      onClick: () => go(withQuery({ continuation })),
    }),
    h("span", { class: "quiet cost" }, cost),
  );
}
