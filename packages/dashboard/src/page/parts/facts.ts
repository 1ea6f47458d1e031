/** A list of labels, each with its value. */
import type { ComponentChildren, VNode } from "preact";
import { h } from "../element.ts";

export type Fact = readonly [label: string, value: ComponentChildren];

export function Facts({ facts }: { readonly facts: readonly Fact[] }): VNode {
  return h(
    "dl",
    { class: "facts" },
    ...facts.flatMap(([label, value]) => [
      h("dt", { key: label }, label),
      h("dd", { key: `${label}=` }, value),
    ]),
  );
}
