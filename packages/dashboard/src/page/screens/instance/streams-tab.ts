/** The progress of steps of the instance, and the newest values of a stream, as they come. */
import type { StreamInfo } from "@duroxide-ts/core";
import type { VNode } from "preact";
import { apiPath } from "../../browser/api.ts";
import { serverNow } from "../../browser/clock.ts";
import { distance, number, visible } from "../../browser/format.ts";
import { go, withQuery } from "../../browser/place.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { Empty, Loading, Trouble } from "../../parts/parts.ts";
import { PayloadView } from "../../parts/payload-view.ts";
import type { ShownProgress, ShownValue, StreamsView } from "../../shapes/streams.ts";

const REFRESH_MS = 1_000;

export function StreamsTab(props: {
  readonly instanceId: string;
  readonly stream: string | undefined;
  readonly isOpen: boolean;
  readonly version: number;
}): VNode {
  const { instanceId: id, stream, isOpen, version } = props;
  // The instance that runs is read again in any case.
  const path = apiPath("streams", { id, stream, v: isOpen ? undefined : version });
  const { data, error, readAtMs } = useResource<StreamsView>(path, {
    keep: true,
    ...(isOpen && { everyMs: REFRESH_MS }),
  });
  if (data === undefined)
    return error === undefined ? h(Loading, { what: "the streams" }) : h(Trouble, { error, readAtMs });
  const { progress, streams, values } = data;
  return h(
    "div",
    { class: "state" },
    h(Trouble, { error, readAtMs }),
    ...progress.map((report) => h(ProgressView, { key: report.step, report })),
    streams.length === 0 && progress.length === 0
      ? h(
          Empty,
          { title: "No streams" },
          "The instance writes to no stream, and its steps report no progress.",
        )
      : null,
    streams.length === 0 ? null : h(Streams, { streams, current: data.stream }),
    values.length === 0 ? null : h(Values, { values }),
  );
}

function ProgressView({ report }: { readonly report: ShownProgress }): VNode {
  const { step, attempt, atMs, value } = report;
  return h(PayloadView, {
    title: `Progress of ${visible(step)}`,
    note: `${distance(atMs, serverNow())}, attempt ${attempt}`,
    payload: value,
  });
}

function Streams(props: {
  readonly streams: readonly StreamInfo[];
  readonly current: string | undefined;
}): VNode | null {
  const current = props.streams.find(({ stream }) => stream === props.current);
  if (current === undefined) return null;
  return h(
    "p",
    { class: "inline" },
    h(
      "label",
      { class: "inline" },
      h("span", { class: "quiet" }, "Stream"),
      h(
        "select",
        {
          value: current.stream,
          onChange: (event: Event & { readonly currentTarget: HTMLSelectElement }) =>
            go(withQuery({ stream: event.currentTarget.value })),
        },
        ...props.streams.map(({ stream }) => h("option", { key: stream, value: stream }, visible(stream))),
      ),
    ),
    h("span", { class: "quiet" }, heldBy(current)),
  );
}

function heldBy({ first, next, closed }: StreamInfo): string {
  const kept = first > 0 ? `, those from ${number(first)} on are kept` : "";
  return `${number(next)} values${kept}${closed ? ", closed" : ""}`;
}

/** The text of each value, in the order of the stream. */
function Values({ values }: { readonly values: readonly ShownValue[] }): VNode {
  return h(
    "ol",
    { class: "events", "aria-label": "Values of the stream" },
    ...values.map(({ offset, step, attempt, value }) =>
      h(
        "li",
        { key: offset, class: "value" },
        h("span", { class: "ordinal" }, String(offset)),
        h(
          "span",
          { class: "quiet" },
          step === undefined ? "" : `${visible(step)}${attempt > 1 ? `, attempt ${attempt}` : ""}`,
        ),
        h("code", {}, visible(value.fault ?? value.text)),
      ),
    ),
  );
}
