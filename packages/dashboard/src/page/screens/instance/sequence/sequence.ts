/**
 * The sequence of an execution: a lane for the instance, for what is outside, for each activity and each kind of child,
 * and one row for each message between them, in the order of time. Only rows that can be seen are drawn.
 */
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { duration, exactMoment, visible } from "../../../browser/format.ts";
import { h } from "../../../element.ts";
import { icon, stateIcon } from "../../../parts/icons.ts";
import type { TimelineView } from "../../../shapes/instance.ts";
import type { State } from "../../../shapes/states.ts";
import { useRowWindow } from "../row-window.ts";
import { type Lane, type Lanes, lanesOf } from "./lanes.ts";
import { type Message, messagesOf } from "./messages.ts";
import { type Work, workOf } from "./work.ts";

/** The height of a row in CSS as well. */
const ROW_PX = 40;
/** Lanes for activities, and for children. */
const MOST_LANES = 4;
/** Media query of narrow windows, in CSS as well. */
const NARROW = "(max-width: 760px)";

export interface SequenceProps {
  readonly timeline: TimelineView;
  readonly selectedId: number | undefined;
  /** `undefined`: the execution itself. */
  readonly onSelect: (id: number | undefined) => void;
}

export function Sequence({ timeline, selectedId, onSelect }: SequenceProps): VNode {
  const isNarrow = useMedia(NARROW);
  const { messages, lanes, work, firstRows } = useMemo(() => {
    const messages = messagesOf(timeline);
    const lanes = lanesOf(messages, isNarrow ? 1 : MOST_LANES);
    const states = new Map<number, State>(timeline.bars.map(({ id, state }) => [id, state]));
    return { messages, lanes, work: workOf(messages, lanes, states), firstRows: firstRowsOf(messages) };
  }, [timeline, isNarrow]);
  const ref = useRef<HTMLDivElement>(null);
  const { from, to } = useRowWindow(ref, messages.length, ROW_PX);
  return h(
    "div",
    { class: "sequence" },
    h(LaneHeads, { lanes: lanes.lanes }),
    h(
      "div",
      { class: "sequence-body" },
      h(Lifelines, { lanes: lanes.lanes, work, from, to, rows: messages.length, selectedId }),
      h(
        "div",
        { class: "rows", ref, role: "listbox", "aria-label": "Messages in the order of time", tabIndex: -1 },
        h("div", { class: "spacer", style: { height: `${from * ROW_PX}px` } }),
        ...messages.slice(from, to).map((message, index) => {
          const row = from + index;
          return h(Row, {
            key: row,
            message,
            lanes,
            sinceStart: duration(message.atMs - timeline.startMs),
            isRepeated: row > 0 && messages[row - 1]?.atMs === message.atMs,
            isFirst: message.barId !== undefined && firstRows.get(message.barId) === row,
            isSelected: message.barId !== undefined && message.barId === selectedId,
            onSelect,
          });
        }),
        h("div", { class: "spacer", style: { height: `${(messages.length - to) * ROW_PX}px` } }),
      ),
    ),
  );
}

/** The row of the first message of each bar. */
function firstRowsOf(messages: readonly Message[]): ReadonlyMap<number, number> {
  const rows = new Map<number, number>();
  for (const [row, { barId }] of messages.entries())
    if (barId !== undefined && !rows.has(barId)) rows.set(barId, row);
  return rows;
}

function LaneHeads({ lanes }: { readonly lanes: readonly Lane[] }): VNode {
  return h(
    "div",
    { class: "lane-heads", "aria-hidden": "true" },
    h(
      "div",
      { class: "track", style: columns(lanes.length) },
      ...lanes.map(({ kind, name }) =>
        h(
          "span",
          { key: `${kind} ${name}`, class: `lane-head kind-${kind}`, title: visible(name) },
          icon(LANE_ICONS[kind], 14),
          h("bdi", {}, visible(name)),
        ),
      ),
    ),
  );
}

const LANE_ICONS = {
  outside: "external",
  instance: "instances",
  activity: "activity",
  child: "child",
} as const;

interface LifelinesProps {
  readonly lanes: readonly Lane[];
  readonly work: readonly Work[];
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  readonly selectedId: number | undefined;
}

/** A line down from each lane, and a bar on it for as long as it works. */
function Lifelines({ lanes, work, from, to, rows, selectedId }: LifelinesProps): VNode {
  const shown = work.filter((one) => one.fromRow < to && (one.toRow ?? rows) >= from);
  return h(
    "div",
    { class: "lifelines", "aria-hidden": "true" },
    ...lanes.map(({ kind, name }, lane) =>
      h("i", {
        key: `${kind} ${name}`,
        class: `lifeline kind-${kind}`,
        style: { left: at(lane, lanes.length) },
      }),
    ),
    ...shown.map(({ key, lane, fromRow, toRow, state, depth, barId }) => {
      const isSelected = barId !== undefined && barId === selectedId;
      const endRow = toRow ?? rows;
      return h("i", {
        key,
        class: `work is-${state} ${toRow === undefined ? "open" : ""} ${isSelected ? "selected" : ""}`,
        style: {
          left: `calc(${at(lane, lanes.length)} + ${depth * DEPTH_PX}px)`,
          top: `${fromRow * ROW_PX + ARROW_PX}px`,
          height: `${(endRow - fromRow) * ROW_PX - (toRow === undefined ? ARROW_PX : 0)}px`,
        },
      });
    }),
  );
}

/** Offset from one bar of a lane to the next one that is open at the same time. */
const DEPTH_PX = 4;
/** Offset of the arrow in its row; in CSS as well. */
const ARROW_PX = 29;

interface RowProps {
  readonly message: Message;
  readonly lanes: Lanes;
  readonly sinceStart: string;
  /** It has the time of the row above. */
  readonly isRepeated: boolean;
  /** The first message of its bar, which is scrolled to. */
  readonly isFirst: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (id: number | undefined) => void;
}

function Row({ message, lanes, isSelected, onSelect, ...time }: RowProps): VNode {
  const { from, to, barId, label, state } = message;
  const [start, end] = [lanes.laneOf(from), lanes.laneOf(to)];
  const count = lanes.lanes.length;
  return h(
    "button",
    {
      type: "button",
      role: "option",
      class: `message ${state === undefined ? "" : `is-${state}`}`,
      id: time.isFirst && barId !== undefined ? `bar-${barId}` : undefined,
      "aria-selected": isSelected,
      title: exactMoment(message.atMs),
      onClick: () => onSelect(isSelected ? undefined : barId),
    },
    h("span", { class: `since ${time.isRepeated ? "same" : ""}` }, time.sinceStart),
    h("span", { class: "unseen" }, `, ${visible(spoken(message))}, `),
    h(
      "span",
      { class: "track" },
      h(
        "span",
        { class: "label", style: labelPlace(start, end, count) },
        state === undefined ? null : h("span", { class: "state" }, stateIcon(state, 12)),
        h("bdi", {}, visible(label)),
      ),
      h("i", { class: arrowClass(message, start, end), style: arrowPlace(start, end, count) }),
    ),
  );
}

/** Returns the words of a screen reader in front of the label. */
function spoken({ from, to }: Message): string {
  return from === to ? from.name : `${from.name} to ${to.name}`;
}

function arrowClass({ isAnswer }: Message, start: number, end: number): string {
  const direction = start === end ? "self" : start < end ? "right" : "left";
  return `arrow ${direction} ${isAnswer ? "answer" : ""}`;
}

function arrowPlace(
  start: number,
  end: number,
  count: number,
): { readonly left: string; readonly width: string } {
  const [low, high] = start < end ? [start, end] : [end, start];
  return { left: at(low, count), width: percent((high - low) / count) };
}

/** The label begins behind the line of the left lane, and may use all the room to its right. */
function labelPlace(start: number, end: number, count: number): { readonly left: string } {
  return { left: at(Math.min(start, end), count) };
}

/** The middle of a lane. */
function at(lane: number, count: number): string {
  return percent((lane + 0.5) / count);
}

function percent(part: number): string {
  return `${(part * 100).toFixed(3)}%`;
}

function columns(count: number): { readonly gridTemplateColumns: string } {
  return { gridTemplateColumns: `repeat(${count}, minmax(0, 1fr))` };
}

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const media = window.matchMedia(query);
    const look = (): void => setMatches(media.matches);
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, [query]);
  return matches;
}
