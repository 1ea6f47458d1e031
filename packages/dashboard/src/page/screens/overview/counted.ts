/** Figures that are counted on request, because the store charges for it: what the count found, and when. */
import type { VNode } from "preact";
import { clockTime, number } from "../../browser/format.ts";
import { h } from "../../element.ts";
import { CountLine } from "../../parts/count-line.ts";
import { Time } from "../../parts/parts.ts";
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

export function OverviewCount(props: {
  readonly counted: CountedFigures | undefined;
  readonly onCounted: (counted: CountedFigures) => void;
}): VNode {
  const { counted } = props;
  const text = counted === undefined ? [WHY] : found(counted);
  return h(CountLine<CountedFigures>, { path: "figures", ...props }, ...text);
}

const WHY = "+ is where a page ends. A count reads all that runs and all that failed in 24 h.";

function found({ asOfMs, requestUnits, tookMs }: CountedFigures): (VNode | string)[] {
  const cost = requestUnits === undefined ? "" : `, for ${number(Math.round(requestUnits * 10) / 10)} RU`;
  return [
    `Running and failed were counted at ${clockTime(asOfMs)}, `,
    h(Time, { ms: asOfMs, ago: true }),
    `${cost}, in ${tookMs} ms.`,
  ];
}
