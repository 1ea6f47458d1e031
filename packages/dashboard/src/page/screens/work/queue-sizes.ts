/** How many rows the queues have. Where the store charges for a count, it is made on request. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { clockTime, number } from "../../browser/format.ts";
import { h } from "../../element.ts";
import { CountLine } from "../../parts/count-line.ts";
import type { CountedQueues, QueueFigures } from "../../shapes/work.ts";

/** `queues` is absent where the store charges. */
export function QueueSizes({ queues }: { readonly queues: QueueFigures | undefined }): VNode {
  const [counted, setCounted] = useState<CountedQueues | undefined>(undefined);
  if (queues !== undefined) return h("p", { class: "figures quiet" }, sentence(queues));
  const found =
    counted === undefined
      ? "A count reads all rows of both queues."
      : `${sentence(counted)}, at ${clockTime(counted.asOfMs)}`;
  return h(CountLine<CountedQueues>, { path: "queues", counted, onCounted: setCounted }, found);
}

function sentence({ orchestrator, worker, later }: QueueFigures): string {
  return `${number(orchestrator)} messages and ${number(worker)} activities ready, ${number(later)} later`;
}
