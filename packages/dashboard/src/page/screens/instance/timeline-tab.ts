/** The waterfall or the sequence of an execution, with the inspector beside it. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { serverNow } from "../../browser/clock.ts";
import { number, visible } from "../../browser/format.ts";
import { useKeys } from "../../browser/keys.ts";
import { go, withQuery } from "../../browser/place.ts";
import type { Resource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { Empty, Loading, Time, Trouble } from "../../parts/parts.ts";
import type { TimelineView } from "../../shapes/instance.ts";
import { Inspector } from "./inspector.ts";
import { Sequence } from "./sequence/sequence.ts";
import { SequenceTable } from "./sequence/sequence-table.ts";
import { useScale, Waterfall } from "./waterfall.ts";

export const VIEWS = ["waterfall", "sequence", "table"] as const;
export type TimelineViewName = (typeof VIEWS)[number];

export interface TimelineTabProps {
  readonly instanceId: string;
  readonly timeline: Resource<TimelineView>;
  readonly selectedId: number | undefined;
  readonly view: TimelineViewName;
  readonly version: number;
  readonly onSend: (verb: "raise" | "enqueue") => void;
  readonly onRewind: (eventId: number) => void;
}

export function TimelineTab(props: TimelineTabProps): VNode {
  const { data, error, readAtMs } = props.timeline;
  const nowMs = serverNow();
  if (data === undefined) {
    return error === undefined ? h(Loading, { what: "the timeline" }) : h(Trouble, { error, readAtMs });
  }
  return h(
    "div",
    {},
    h(Trouble, { error, readAtMs }),
    h(ByHand, { begun: data.begunByHand }),
    h(Panes, { ...props, data, nowMs }),
  );
}

/** Shows the verb that began the execution, who called it and why. */
function ByHand({ begun }: { readonly begun: TimelineView["begunByHand"] }): VNode | null {
  if (begun === undefined) return null;
  const { verb, of, by, reason, atMs } = begun;
  const who = by === undefined ? "" : ` by ${visible(by)}`;
  return h(
    "p",
    { class: "by-hand" },
    `Begun by hand: ${verb} of execution ${of}${who}`,
    h(Time, { ms: atMs }),
    reason === undefined ? null : h("span", { class: "quiet" }, visible(reason)),
  );
}

function Panes(props: TimelineTabProps & { readonly data: TimelineView; readonly nowMs: number }): VNode {
  const { data, nowMs, selectedId, view } = props;
  const [shortened, setShortened] = useState<boolean | undefined>(undefined);
  const { isShortened } = useScale(data, nowMs, shortened);
  const index = data.bars.findIndex(({ id }) => id === selectedId);
  const select = (id: number | undefined): void =>
    go(withQuery({ bar: id === undefined ? undefined : String(id) }), { replace: true });
  const move = (by: number): void => {
    const next = data.bars[Math.max(0, Math.min(data.bars.length - 1, index + by))];
    if (next === undefined) return;
    select(next.id);
    document.querySelector(`#bar-${next.id}`)?.scrollIntoView({ block: "nearest" });
  };
  useKeys({ j: () => move(1), k: () => move(index < 0 ? 1 : -1), Escape: () => select(undefined) });
  return h(
    "div",
    { class: "panes" },
    h(
      "section",
      { class: "pane", "aria-label": "Timeline" },
      h(
        "div",
        { class: "pane-head" },
        h(ViewSwitch, { view }),
        h("span", { class: "quiet count" }, `${number(data.bars.length)} calls`),
        view === "waterfall" ? h(ScaleSwitch, { isShortened, onChange: setShortened }) : null,
      ),
      h(View, { timeline: data, view, nowMs, selectedId, select, shortened }),
    ),
    h(Inspector, {
      instanceId: props.instanceId,
      executionId: data.executionId,
      bar: data.bars[index],
      nowMs,
      version: props.version,
      onSend: props.onSend,
      onRewind: props.onRewind,
    }),
  );
}

interface ViewProps {
  readonly timeline: TimelineView;
  readonly view: TimelineViewName;
  readonly nowMs: number;
  readonly selectedId: number | undefined;
  readonly select: (id: number | undefined) => void;
  readonly shortened: boolean | undefined;
}

function View({ timeline, view, nowMs, selectedId, select, shortened }: ViewProps): VNode {
  if (view === "sequence") return h(Sequence, { timeline, selectedId, onSelect: select });
  if (view === "table") return h(SequenceTable, { timeline });
  if (timeline.bars.length === 0)
    return h(Empty, { title: "No calls yet" }, "The execution has not called anything that is durable.");
  const onSelect = (id: number): void => select(id === selectedId ? undefined : id);
  return h(Waterfall, { timeline, nowMs, selectedId, onSelect, shortened });
}

/** The view is in the address. */
function ViewSwitch({ view }: { readonly view: TimelineViewName }): VNode {
  return h(
    "div",
    { class: "segmented", role: "group", "aria-label": "View of the timeline" },
    ...VIEWS.map((one) =>
      h(
        "button",
        {
          key: one,
          type: "button",
          "aria-pressed": one === view,
          onClick: () => go(withQuery({ view: one === "waterfall" ? undefined : one }), { replace: true }),
        },
        `${one.slice(0, 1).toUpperCase()}${one.slice(1)}`,
      ),
    ),
  );
}

function ScaleSwitch(props: {
  readonly isShortened: boolean;
  readonly onChange: (shortened: boolean) => void;
}): VNode {
  const option = (label: string, value: boolean): VNode =>
    h(
      "button",
      { type: "button", "aria-pressed": props.isShortened === value, onClick: () => props.onChange(value) },
      label,
    );
  return h(
    "div",
    { class: "segmented", role: "group", "aria-label": "Scale of time" },
    option("To scale", false),
    option("Gaps shortened", true),
  );
}
