/** One instance: its head, and a tab. The head is read again and again; the rest when the head has changed. */
import type { OperatorVerb } from "@duroxide-ts/core/operate";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { apiPath } from "../../browser/api.ts";
import { after } from "../../browser/clock.ts";
import { visible } from "../../browser/format.ts";
import { useLive } from "../../browser/live.ts";
import { go, withQuery } from "../../browser/place.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { Empty, Loading, Trouble } from "../../parts/parts.ts";
import type { InstanceHead, TimelineView } from "../../shapes/instance.ts";
import { OPEN_STATES } from "../../shapes/states.ts";
import type { ScreenProps } from "../screen.ts";
import { ChildrenTab } from "./children-tab.ts";
import { CodeTab } from "./code-tab.ts";
import { Head } from "./head.ts";
import { HistoryTab } from "./history-tab.ts";
import { StateTab } from "./state-tab.ts";
import { StreamsTab } from "./streams-tab.ts";
import { TimelineTab, VIEWS } from "./timeline-tab.ts";
import { VerbDialog } from "./verb-dialog.ts";

const REFRESH_MS = 2_000;
/** How often bars of running calls grow. */
const GROW_MS = 500;

const TABS = ["Timeline", "History", "State", "Streams", "Children", "Code"] as const;

export function InstanceScreen({ query }: ScreenProps): VNode {
  const id = query.get("id") ?? "";
  const {
    data: head,
    error,
    readAtMs,
    reload,
  } = useResource<InstanceHead>(apiPath("instance", { id }), { everyMs: REFRESH_MS });
  const [verb, setVerb] = useState<{ readonly verb: OperatorVerb; readonly eventId?: number } | undefined>(
    undefined,
  );
  const version = versionOf(head);
  const executionId = executionOf(query);
  const tab = TABS.find((one) => one.toLowerCase() === query.get("tab")) ?? "Timeline";
  // Of an instance that is open only its timeline says whether it cleans up.
  const wantsTimeline = tab === "Timeline" || verb !== undefined || isOpen(head);
  const timelinePath = apiPath("timeline", { id, execution: executionId ?? head?.executionId, v: version });
  const timeline = useResource<TimelineView>(wantsTimeline && head !== undefined ? timelinePath : undefined, {
    keep: true,
  });
  useGrowing(head?.state === "running" && tab === "Timeline");
  // Also where it was there before and was deleted.
  if (error?.code === "instance-not-found") {
    return h(Empty, {
      title: "There is no such instance",
      children: visible(id),
      command: "npx @duroxide-ts/cli list",
    });
  }
  if (error?.code === "not-begun") {
    return h(Empty, {
      title: "Not begun yet",
      children: `${visible(id)}: ${error.message}`,
      command: "npx @duroxide-ts/cli workers",
    });
  }
  if (head === undefined) {
    return error === undefined ? h(Loading, { what: id }) : h(Trouble, { error, readAtMs });
  }
  const common = { instanceId: id, version };
  const now = isOpen(head) ? currentOf(head, timeline.data) : undefined;
  return h(
    "div",
    { class: "screen" },
    h(Trouble, { error, readAtMs }),
    h(Head, {
      head,
      running: now?.running,
      cancelRequested: now?.cancelRequested,
      setAside: now?.setAside ?? [],
      onVerb: (one) => setVerb({ verb: one }),
    }),
    h(
      "div",
      { class: "tabs-line" },
      h(Tabs, { current: tab }),
      h(Executions, { head, current: executionId ?? head.executionId }),
    ),
    tab === "Timeline"
      ? h(TimelineTab, {
          ...common,
          timeline,
          selectedId: numberIn(query, "bar"),
          view: VIEWS.find((one) => one === query.get("view")) ?? "waterfall",
          onSend: (one) => setVerb({ verb: one }),
          onRewind: (eventId) => setVerb({ verb: "rewind", eventId }),
        })
      : null,
    tab === "History" ? h(HistoryTab, { ...common, executionId: executionId ?? head.executionId }) : null,
    tab === "State" ? h(StateTab, common) : null,
    tab === "Streams"
      ? h(StreamsTab, { ...common, stream: query.get("stream") ?? undefined, isOpen: isOpen(head) })
      : null,
    tab === "Children" ? h(ChildrenTab, common) : null,
    tab === "Code" ? h(CodeTab, { head }) : null,
    verb === undefined
      ? null
      : h(VerbDialog, {
          ...verb,
          head,
          bars: timeline.data?.bars ?? [],
          onClose: () => setVerb(undefined),
          onDone: reload,
        }),
  );
}

/** Grows with each change of the instance that its head shows. */
function versionOf(head: InstanceHead | undefined): number {
  return head === undefined ? 0 : head.updatedAtMs + head.eventCount + head.executionId;
}

function isOpen(head: InstanceHead | undefined): boolean {
  return head !== undefined && OPEN_STATES.includes(head.state);
}

/** The timeline, if it is that of the execution that runs. */
function currentOf(head: InstanceHead, timeline: TimelineView | undefined): TimelineView | undefined {
  const isCurrent = timeline?.instanceId === head.id && timeline.executionId === head.executionId;
  return isCurrent && timeline.ended === undefined ? timeline : undefined;
}

function Tabs({ current }: { readonly current: string }): VNode {
  return h(
    "div",
    { class: "tabs", role: "tablist", "aria-label": "Views of the instance" },
    ...TABS.map((name) =>
      h(
        "button",
        {
          key: name,
          type: "button",
          role: "tab",
          "aria-selected": name === current,
          onClick: () => go(withQuery({ tab: name === "Timeline" ? undefined : name.toLowerCase() })),
        },
        name,
      ),
    ),
  );
}

function Executions({
  head,
  current,
}: {
  readonly head: InstanceHead;
  readonly current: number;
}): VNode | null {
  if (head.executions.length <= 1) return null;
  return h(
    "label",
    { class: "inline" },
    h("span", { class: "quiet" }, "Execution"),
    h(
      "select",
      {
        value: String(current),
        onChange: (event: Event & { readonly currentTarget: HTMLSelectElement }) =>
          go(withQuery({ execution: event.currentTarget.value, bar: undefined })),
      },
      ...head.executions
        .toReversed()
        .map((one) => h("option", { key: one, value: String(one) }, `${one} of ${head.executionId}`)),
    ),
  );
}

function executionOf(query: URLSearchParams): number | undefined {
  return numberIn(query, "execution");
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const value = Number(query.get(name) ?? "");
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function useGrowing(isGrowing: boolean): void {
  const isLive = useLive();
  const [turn, setTurn] = useState(0);
  useEffect(
    () => (isGrowing && isLive ? after(GROW_MS, () => setTurn(turn + 1)) : undefined),
    [isGrowing, isLive, turn],
  );
}
