/** The calls of an execution over time: one row each, drawn only where it can be seen. */
import type { VNode } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { duration, visible } from "../../browser/format.ts";
import { h } from "../../element.ts";
import { icon, stateIcon } from "../../parts/icons.ts";
import type { Bar, TimelineView } from "../../shapes/instance.ts";
import { namedWith } from "./bar-name.ts";
import { barParts } from "./bar-parts.ts";
import { useRowWindow } from "./row-window.ts";
import { hasLongGap, linearScale, momentsOf, type Scale, shortenedScale } from "./scale.ts";
import { evenTicks, linearTicks, type Tick } from "./ticks.ts";

/** The height of a row in CSS as well. */
const ROW_PX = 30;

export interface WaterfallProps {
  readonly timeline: TimelineView;
  readonly nowMs: number;
  readonly selectedId: number | undefined;
  readonly onSelect: (id: number) => void;
  /** `undefined`: as it fits. */
  readonly shortened: boolean | undefined;
}

/** The scale and whether gaps are shortened in it. */
export function useScale(
  timeline: TimelineView,
  nowMs: number,
  wanted: boolean | undefined,
): { readonly scale: Scale; readonly isShortened: boolean; readonly endMs: number } {
  const { bars, startMs } = timeline;
  const endMs = Math.max(startMs + 1, timeline.endMs ?? nowMs);
  return useMemo(() => {
    const moments = momentsOf(bars, startMs, endMs);
    const isShortened = wanted ?? hasLongGap(moments);
    return { scale: isShortened ? shortenedScale(moments) : linearScale(startMs, endMs), isShortened, endMs };
  }, [bars, startMs, endMs, wanted]);
}

export function Waterfall(props: WaterfallProps): VNode {
  const { timeline, nowMs, selectedId } = props;
  const { scale, isShortened, endMs } = useScale(timeline, nowMs, props.shortened);
  const { bars, startMs } = timeline;
  const ref = useRef<HTMLDivElement>(null);
  const { from, to } = useRowWindow(ref, bars.length, ROW_PX);
  const ticks = isShortened ? evenTicks(scale, startMs) : linearTicks(scale, startMs, endMs);
  return h(
    "div",
    { class: "waterfall" },
    h(Axis, { ticks }),
    h(
      "div",
      { class: "rows", ref, role: "listbox", "aria-label": "Calls over time", tabIndex: -1 },
      h("div", { class: "spacer", style: { height: `${from * ROW_PX}px` } }),
      ...bars.slice(from, to).map((bar) =>
        h(Row, {
          key: bar.id,
          bar,
          scale,
          nowMs: endMs,
          isSelected: bar.id === selectedId,
          onSelect: props.onSelect,
        }),
      ),
      h("div", { class: "spacer", style: { height: `${(bars.length - to) * ROW_PX}px` } }),
    ),
    h(
      "div",
      { class: "gridlines", "aria-hidden": "true" },
      ...ticks.map(({ at }) => h("i", { key: at, style: left(at) })),
    ),
  );
}

function Axis({ ticks }: { readonly ticks: readonly Tick[] }): VNode {
  return h(
    "div",
    { class: "axis", "aria-hidden": "true" },
    h(
      "div",
      { class: "track" },
      ...ticks.map(({ at, label }) => h("span", { key: at, style: left(at) }, label)),
    ),
  );
}

interface RowProps {
  readonly bar: Bar;
  readonly scale: Scale;
  readonly nowMs: number;
  readonly isSelected: boolean;
  readonly onSelect: (id: number) => void;
}

function Row({ bar, scale, nowMs, isSelected, onSelect }: RowProps): VNode {
  const parts = barParts(bar, nowMs);
  const took = duration((bar.endMs ?? nowMs) - bar.startMs);
  const attempts = bar.attempts.length > 1 ? `×${bar.attempts.length}` : "";
  const spoken = `, ${bar.state}, ${attempts === "" ? "" : `${bar.attempts.length} attempts, `}`;
  return h(
    "button",
    {
      type: "button",
      role: "option",
      id: `bar-${bar.id}`,
      class: `row is-${bar.state} kind-${bar.kind}`,
      "aria-selected": isSelected,
      onClick: () => onSelect(bar.id),
    },
    h(
      "span",
      { class: "name" },
      icon(bar.kind, 14),
      h("span", { class: "unseen" }, `${bar.kind} `),
      h(
        "bdi",
        { title: namedWith(bar) },
        bar.label === undefined ? visible(bar.name) : h(Labelled, { bar, label: bar.label }),
      ),
      attempts === "" ? null : h("span", { class: "attempts", "aria-hidden": "true" }, attempts),
      h("span", { class: "unseen" }, spoken),
    ),
    h(
      "span",
      { class: "track" },
      ...parts.map(({ className, fromMs, toMs }, index) => {
        const at = scale.at(fromMs);
        return h("i", {
          key: index,
          class: className,
          style: { ...left(at), width: percent(scale.at(toMs) - at) },
        });
      }),
      h(Caption, { bar, took, at: scale.at(bar.endMs ?? nowMs) }),
    ),
  );
}

/** Shows the name and the label. Without room for both the label stays, because it tells alike calls apart. */
function Labelled({ bar, label }: { readonly bar: Bar; readonly label: string }): VNode {
  return h(
    "span",
    {},
    h("span", { class: "called" }, `${visible(bar.name)} `),
    h("span", { class: "label" }, visible(label)),
  );
}

/** The time stands behind the bar; the track leaves room for it. */
function Caption({
  bar,
  took,
  at,
}: {
  readonly bar: Bar;
  readonly took: string;
  readonly at: number;
}): VNode {
  const isOpen = bar.endMs === undefined;
  return h(
    "span",
    { class: "caption", style: left(at) },
    isOpen || bar.state !== "completed" ? h("span", { class: "state" }, stateIcon(bar.state, 12)) : null,
    took,
  );
}

function left(at: number): { readonly left: string } {
  return { left: percent(at) };
}

function percent(part: number): string {
  return `${(Math.max(0, part) * 100).toFixed(3)}%`;
}
