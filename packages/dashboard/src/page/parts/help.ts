/** The keys, and what the colours mean. */
import type { VNode } from "preact";
import { BASE, SIGNS_OUT } from "../browser/place.ts";
import { h } from "../element.ts";
import type { State } from "../shapes/states.ts";
import { Dialog } from "./dialog.ts";
import { Badge } from "./parts.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["/", "find an instance by the beginning of its id"],
  ["j  k", "next and previous row or bar"],
  ["Enter", "open the row"],
  ["x", "select the row"],
  ["e", "show the whole of a shortened text"],
  ["?", "this help"],
  ["Esc", "close"],
];

const MEANINGS: readonly (readonly [State, string])[] = [
  ["running", "work is under way, or a durable wait is open"],
  ["scheduled", "its code begins later"],
  ["waiting-for-limit", "the limit of its start lets its code not begin yet"],
  ["completed", "ended with a result"],
  ["failed", "ended with an error"],
  ["retrying", "an attempt failed, and another one is due"],
  ["waiting", "a timer, an event or a message is not there yet"],
  ["blocked", "no worker has code that fits, or serves the tag; it goes on by itself when one does"],
  ["suspended", "an operator stopped it"],
  ["cancelling", "its clean-up runs after a cancellation"],
  ["compensating", "a saga undoes what it has done"],
  ["cancelled", "ended or dropped before it had a result"],
  ["clean-up-failed", "cancelled, and what its clean-up was to undo is left"],
];

export function Help({ onClose }: { readonly onClose: () => void }): VNode {
  return h(
    Dialog,
    { title: "Keys and states", onClose },
    h(
      "dl",
      { class: "keys" },
      ...KEYS.flatMap(([key, text]) => [
        h("dt", { key: `k${key}` }, h("kbd", {}, key)),
        h("dd", { key: `t${key}` }, text),
      ]),
    ),
    h(
      "dl",
      { class: "keys" },
      ...MEANINGS.flatMap(([state, text]) => [
        h("dt", { key: `k${state}` }, h(Badge, { state })),
        h("dd", { key: `t${state}` }, text),
      ]),
    ),
    SIGNS_OUT
      ? h(
          "form",
          { method: "post", action: `${BASE}/signout` },
          h("button", { type: "submit", class: "button" }, "Sign out"),
        )
      : null,
  );
}
