/** How many rows the queues have. Where the store charges for a count, it is made on request. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { get } from "../../browser/api.ts";
import { clockTime, number } from "../../browser/format.ts";
import { h } from "../../element.ts";
import { Outcome, useAction } from "../../parts/act-dialog.ts";
import { Button } from "../../parts/parts.ts";
import type { CountedQueues, QueueFigures } from "../../shapes/work.ts";

/** `queues` is absent where the store charges. */
export function QueueSizes({ queues }: { readonly queues: QueueFigures | undefined }): VNode {
  const [counted, setCounted] = useState<CountedQueues | undefined>(undefined);
  const { run, isRunning, fault } = useAction(() => get<CountedQueues>("queues"), setCounted);
  if (queues !== undefined) return h("p", { class: "figures quiet" }, sentence(queues));
  const found =
    counted === undefined
      ? "A count reads all rows of both queues."
      : `${sentence(counted)}, at ${clockTime(counted.asOfMs)}`;
  return h(
    "div",
    { class: "counted" },
    h(Button, { disabled: isRunning, onClick: run }, counted === undefined ? "Count" : "Count again"),
    h("p", { class: "quiet", role: "status" }, found),
    fault === undefined ? null : h(Outcome, { fault }),
  );
}

function sentence({ orchestrator, worker, later }: QueueFigures): string {
  return `${number(orchestrator)} messages and ${number(worker)} activities ready, ${number(later)} later`;
}
