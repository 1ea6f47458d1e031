/** Whether the code of the workers fits, and where it does not. */
import type { VNode } from "preact";
import { serverNow } from "../../browser/clock.ts";
import { duration, visible } from "../../browser/format.ts";
import { h } from "../../element.ts";
import { LongText } from "../../parts/long-text.ts";
import { Empty } from "../../parts/parts.ts";
import type { InstanceHead } from "../../shapes/instance.ts";
import { BLOCK_ADVICE } from "./block-advice.ts";

export function CodeTab({ head }: { readonly head: InstanceHead }): VNode {
  if (head.blocked.length === 0) {
    return h(
      Empty,
      { title: "The code fits" },
      "No worker has reported a difference between this history and its code.",
    );
  }
  const nowMs = serverNow();
  return h(
    "div",
    { class: "code" },
    ...head.blocked.map((block) =>
      h(
        "section",
        { class: "payload", key: `${block.reason} ${block.activity ?? ""}` },
        h(
          "header",
          {},
          h(
            "h3",
            {},
            block.activity === undefined ? block.reason : `${block.reason}: ${visible(block.activity)}`,
          ),
          h(
            "span",
            { class: "quiet" },
            `for ${duration(nowMs - block.sinceMs)}, tried ${block.attempts} times`,
          ),
        ),
        h(LongText, { text: block.detail, label: "The difference" }),
        h("p", {}, BLOCK_ADVICE[block.reason] ?? ""),
      ),
    ),
  );
}
