/** The selected call: what it was given, what it answered, where and how often it ran. */
import type { VNode } from "preact";
import { apiPath } from "../../browser/api.ts";
import { clockTime, duration, exactMoment, visible } from "../../browser/format.ts";
import { instanceHref } from "../../browser/place.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { type Fact, Facts } from "../../parts/facts.ts";
import { icon } from "../../parts/icons.ts";
import { Badge, Button, Link, Loading, Trouble } from "../../parts/parts.ts";
import { FailureView, PayloadView } from "../../parts/payload-view.ts";
import { useMay } from "../../parts/session-context.ts";
import type { Bar, CallDetails } from "../../shapes/instance.ts";
import { Attempts } from "./attempts.ts";

export interface InspectorProps {
  readonly instanceId: string;
  readonly executionId: number;
  /** `undefined`: the execution itself. */
  readonly bar: Bar | undefined;
  readonly nowMs: number;
  /** Changes when there is something new to read. */
  readonly version: number;
  readonly onSend: (verb: "raise" | "enqueue") => void;
  readonly onRewind: (eventId: number) => void;
}

export function Inspector(props: InspectorProps): VNode {
  const { bar, instanceId, executionId, nowMs } = props;
  const step = bar?.id ?? 0;
  const path = apiPath("call", { id: instanceId, execution: executionId, step: bar?.id, v: props.version });
  const { data, error, readAtMs } = useResource<CallDetails>(path, { keep: true });
  const isThis = data?.id === step;
  return h(
    "aside",
    {
      class: "inspector",
      "aria-label": bar === undefined ? "This execution" : `Call ${bar.name}`,
      "aria-live": "polite",
    },
    bar === undefined ? h("h2", {}, "This execution") : h(BarHead, { bar, nowMs }),
    bar === undefined ? null : h(BarFacts, { bar, nowMs }),
    bar === undefined ? null : h(BarActions, { ...props, bar }),
    h(Trouble, { error, readAtMs }),
    data === undefined || !isThis
      ? error === undefined
        ? h(Loading, { what: "the call" })
        : null
      : h(Payloads, { details: data, bar }),
  );
}

function BarHead({ bar, nowMs }: { readonly bar: Bar; readonly nowMs: number }): VNode {
  return h(
    "div",
    { class: "bar-head" },
    h("h2", {}, icon(bar.kind), h("bdi", {}, visible(bar.name))),
    h(Badge, { state: bar.state, word: `${bar.state} ${duration((bar.endMs ?? nowMs) - bar.startMs)}` }),
  );
}

function BarFacts({ bar, nowMs }: { readonly bar: Bar; readonly nowMs: number }): VNode {
  const last = bar.attempts.at(-1);
  const facts: Fact[] = [];
  if (bar.label !== undefined) facts.push(["Label", h("bdi", {}, visible(bar.label))]);
  facts.push(["Began", exactMoment(bar.startMs)]);
  if (bar.endMs !== undefined) facts.push(["Ended", exactMoment(bar.endMs)]);
  if (bar.dueMs !== undefined)
    facts.push(["Due", `${clockTime(bar.dueMs)}, in ${duration(bar.dueMs - nowMs)}`]);
  if (bar.attempts.length > 1 || bar.maxAttempts !== undefined) {
    const of = bar.maxAttempts === undefined ? "" : ` of ${bar.maxAttempts}`;
    facts.push(["Attempt", `${bar.attempts.length}${of}`]);
  }
  if (last?.worker !== undefined) facts.push(["Worker", h("code", {}, visible(last.worker))]);
  if (last?.startedMs !== undefined && last.endMs !== undefined) {
    const waited = duration(Math.max(0, last.startedMs - last.scheduledMs));
    facts.push(["Waited, ran", `${waited}, ${duration(Math.max(0, last.endMs - last.startedMs))}`]);
  }
  if (last?.delivery !== undefined && last.delivery > 1) facts.push(["Delivery", String(last.delivery)]);
  if (bar.tag !== undefined) facts.push(["Tag", visible(bar.tag)]);
  if (bar.session !== undefined) facts.push(["Session", visible(bar.session)]);
  if (bar.source !== undefined) facts.push(["Source", h("code", {}, visible(bar.source))]);
  if (bar.child !== undefined) {
    facts.push(["Instance", h(Link, { to: instanceHref(bar.child) }, h("bdi", {}, visible(bar.child)))]);
  }
  facts.push(["Event", `#${bar.id}`]);
  return h(Facts, { facts });
}

function BarActions(props: InspectorProps & { readonly bar: Bar }): VNode | null {
  const may = useMay();
  const { bar } = props;
  const isOpen = bar.endMs === undefined;
  const buttons: VNode[] = [];
  if (isOpen && bar.kind === "event" && may("raise")) {
    buttons.push(
      h(Button, { key: "raise", icon: "event", onClick: () => props.onSend("raise") }, "Raise this event"),
    );
  }
  if (isOpen && bar.kind === "queue" && may("enqueue")) {
    buttons.push(
      h(Button, { key: "queue", icon: "queue", onClick: () => props.onSend("enqueue") }, "Send a message"),
    );
  }
  if (may("rewind") && bar.id > 1) {
    buttons.push(
      h(Button, { key: "rewind", onClick: () => props.onRewind(bar.id - 1) }, "Rewind to before this"),
    );
  }
  return buttons.length === 0 ? null : h("div", { class: "bar-actions" }, ...buttons);
}

function Payloads({ details, bar }: { readonly details: CallDetails; readonly bar: Bar | undefined }): VNode {
  const { input, output, failure } = details;
  return h(
    "div",
    {},
    failure === undefined
      ? null
      : h(FailureView, { failure, title: bar?.state === "completed" ? "Last error" : "Error" }),
    bar !== undefined && bar.attempts.length > 1 ? h(Attempts, { bar }) : null,
    input === undefined ? null : h(PayloadView, { title: "Input", payload: input }),
    output === undefined ? null : h(PayloadView, { title: "Output", payload: output }),
    input === undefined && output === undefined && failure === undefined
      ? h("p", { class: "quiet" }, "Nothing is stored with this call yet.")
      : null,
  );
}
