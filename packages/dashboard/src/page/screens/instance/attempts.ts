/** The attempts of a call, one a line. */
import type { VNode } from "preact";
import { duration, exactMoment, visible } from "../../browser/format.ts";
import { h } from "../../element.ts";
import { Badge } from "../../parts/parts.ts";
import type { Bar } from "../../shapes/instance.ts";

export function Attempts({ bar }: { readonly bar: Bar }): VNode {
  return h(
    "section",
    { class: "payload" },
    h("header", {}, h("h3", {}, "Attempts")),
    h(
      "ol",
      { class: "attempt-list" },
      ...bar.attempts.map((attempt, index) => {
        const message = attempt.note;
        return h(
          "li",
          { key: attempt.id },
          h("span", { class: "ordinal" }, String(index + 1)),
          h(Badge, {
            state: attempt.endMs === undefined && bar.endMs === undefined ? "running" : attempt.state,
          }),
          h("span", { class: "quiet" }, exactMoment(attempt.scheduledMs)),
          h(
            "span",
            { class: "quiet" },
            attempt.endMs === undefined ? "" : duration(attempt.endMs - attempt.scheduledMs),
          ),
          message === undefined ? null : h("span", { class: "message" }, visible(message)),
        );
      }),
    ),
  );
}
