/** Figures that are counted on request, because the store charges for it: the button, what it found, and when. */
import type { VNode } from "preact";
import { get } from "../../browser/api.ts";
import { clockTime, number } from "../../browser/format.ts";
import { h } from "../../element.ts";
import { Outcome, useAction } from "../../parts/act-dialog.ts";
import { Button, Time } from "../../parts/parts.ts";
import type { CountedFigures, OrchestrationFigures, Overview } from "../../shapes/overview.ts";

/** Shows the figures of the last count in place of those of pages. */
export function withCounted(overview: Overview, counted: CountedFigures | undefined): Overview {
  if (counted === undefined) return overview;
  const { running, failedToday } = counted;
  return { ...overview, running, failedToday, kinds: kindsOf(overview, counted) };
}

function kindsOf({ kinds }: Overview, counted: CountedFigures): readonly OrchestrationFigures[] {
  const keyOf = (kind: { readonly name: string; readonly version: string }): string =>
    JSON.stringify([kind.name, kind.version]);
  const running = new Map(counted.kinds.map((kind) => [keyOf(kind), kind]));
  const known = new Set(kinds.map(keyOf));
  const others = counted.kinds.filter((kind) => !known.has(keyOf(kind)));
  return [
    ...kinds.map((kind) => ({ ...kind, running: running.get(keyOf(kind))?.running ?? 0 })),
    ...others.map((kind) => ({ ...kind, completed: 0, failed: 0 })),
  ].sort((a, b) => b.running - a.running);
}

export function CountLine(props: {
  readonly counted: CountedFigures | undefined;
  readonly onCounted: (counted: CountedFigures) => void;
}): VNode {
  const { counted, onCounted } = props;
  const { run, isRunning, fault } = useAction(() => get<CountedFigures>("figures"), onCounted);
  return h(
    "div",
    { class: "counted" },
    h(Button, { disabled: isRunning, onClick: run }, counted === undefined ? "Count" : "Count again"),
    h("p", { class: "quiet", role: "status" }, ...(counted === undefined ? [WHY] : found(counted))),
    fault === undefined ? null : h(Outcome, { fault }),
  );
}

const WHY = "+ is where a page ends. A count reads all that runs and all that failed in 24 h.";

function found({ asOfMs, requestUnits, tookMs }: CountedFigures): (VNode | string)[] {
  const cost = requestUnits === undefined ? "" : ` for ${number(Math.round(requestUnits * 10) / 10)} RU`;
  return [
    `Running and failed were counted at ${clockTime(asOfMs)}, `,
    h(Time, { ms: asOfMs, ago: true }),
    `${cost}, in ${tookMs} ms.`,
  ];
}
