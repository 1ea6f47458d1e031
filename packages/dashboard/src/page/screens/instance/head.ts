/** The head of an instance: what it is, how it stands, what can be done with it. */
import type { OperatorVerb, RunningState } from "@duroxide-ts/core/operate";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { serverNow } from "../../browser/clock.ts";
import { distance, duration, number, visible } from "../../browser/format.ts";
import { href, instanceHref } from "../../browser/place.ts";
import { h } from "../../element.ts";
import { icon } from "../../parts/icons.ts";
import { Menu, type MenuItem } from "../../parts/menu.ts";
import { Badge, Button, CopyButton, CustomStatus, Link, Notice, Time } from "../../parts/parts.ts";
import { Outcome } from "../../parts/reason.ts";
import { useMay, useSession, useWords } from "../../parts/session-context.ts";
import { TagLinks } from "../../parts/tag-links.ts";
import { tookMs } from "../../parts/took.ts";
import { FIRST_VERBS } from "../../parts/verbs.ts";
import type { InstanceHead, TimelineView } from "../../shapes/instance.ts";
import { ENDED_STATES, type State, stateWords } from "../../shapes/states.ts";
import { copyTest, downloadHistory } from "./history-copies.ts";

export interface HeadProps {
  readonly head: InstanceHead;
  /** State by its history, while it runs. */
  readonly running: RunningState | undefined;
  /** Set while it cleans up. */
  readonly cancelRequested: TimelineView["cancelRequested"];
  /** Messages that did not fit its waits, while it runs. */
  readonly setAside: TimelineView["setAside"];
  readonly onVerb: (verb: OperatorVerb) => void;
}

export function Head(props: HeadProps): VNode {
  const { head } = props;
  return h(
    "div",
    { class: "instance-head" },
    h(
      "div",
      { class: "title" },
      h(
        "div",
        { class: "crumbs" },
        h(Link, { to: href("instances") }, "Instances"),
        head.parentId === undefined ? null : icon("next", 12),
        head.parentId === undefined
          ? null
          : h(Link, { to: instanceHref(head.parentId) }, visible(head.parentId)),
      ),
      h("h1", {}, h("bdi", {}, visible(head.id)), h(CopyButton, { text: head.id, label: "Copy the id" })),
      h(
        "p",
        { class: "facts-line" },
        h(StateBadge, props),
        h(Link, { to: href("instances", { name: head.name }) }, `${visible(head.name)} ${head.version}`),
        h("span", { class: "quiet" }, "started ", h(Time, { ms: head.createdAtMs })),
        h("span", { class: "quiet" }, `${number(head.eventCount)} events`),
        head.tags === undefined ? null : h(TagLinks, { tags: head.tags }),
        head.customStatus === undefined || head.customStatus.text === ""
          ? null
          : h(CustomStatus, {
              text: unquoted(head.customStatus.text).slice(0, 120),
              isLast: ENDED_STATES.includes(head.state),
            }),
      ),
    ),
    h(HeadActions, props),
    h(CleanUp, props),
    h(SetAside, props),
    h(Standing, { head }),
  );
}

/** Actions on one event: the history and the state offer them. */
const ELSEWHERE: readonly OperatorVerb[] = ["rewind", "redeliver"];

function HeadActions({ head, onVerb }: HeadProps): VNode {
  const may = useMay();
  const { verbs } = useSession();
  const words = useWords();
  const [told, setTold] = useState("");
  const [fault, setFault] = useState<string | undefined>(undefined);
  const fits = (verb: OperatorVerb): boolean => may(verb) && words(verb).fits.includes(head.state);
  const first = FIRST_VERBS.filter(fits).slice(0, 3);
  const others = verbs.filter((verb) => fits(verb) && !first.includes(verb) && !ELSEWHERE.includes(verb));
  const take = (copy: (head: InstanceHead) => Promise<void>, done: string): void => {
    const tell = (text: string, error?: string): void => {
      setTold(text);
      setFault(error);
    };
    tell("");
    copy(head).then(
      () => tell(done),
      (error: unknown) => tell("", error instanceof Error ? error.message : String(error)),
    );
  };
  const items: MenuItem[] = [
    ...others.map((verb) => ({
      label: `${words(verb).label} …`,
      isDangerous: words(verb).isDangerous,
      onChoose: () => onVerb(verb),
    })),
    { label: "Download history", onChoose: () => take(downloadHistory, "") },
    { label: "Copy as a test", onChoose: () => take(copyTest, "The test is on the clipboard.") },
  ];
  return h(
    "div",
    { class: "actions" },
    ...first.map((verb) => h(Button, { key: verb, onClick: () => onVerb(verb) }, words(verb).label)),
    h(Menu, { label: "More actions", icon: "more", items }),
    h("p", { class: "quiet", role: "status" }, told),
    h(Outcome, { fault }),
  );
}

function StateBadge({ head, running = "running" }: HeadProps): VNode {
  const { state } = head;
  if (state === "blocked" || state === "suspended") return h(Badge, { state });
  if (state === "scheduled" && head.startsAtMs !== undefined)
    return h(Badge, { state, word: `scheduled, starts ${distance(head.startsAtMs, serverNow())}` });
  const took = duration(tookMs(head));
  if (state !== "running") return h(Badge, { state, word: `${stateWords(state)} after ${took}` });
  return h(Badge, {
    state: running,
    word: `${running === "running" ? "" : `${running}, `}running for ${took}`,
  });
}

/** Shows since when the instance is being cancelled, and why. */
function CleanUp({ cancelRequested }: HeadProps): VNode | null {
  if (cancelRequested === undefined) return null;
  const { atMs, reason } = cancelRequested;
  return h(
    Notice,
    { state: "cancelling", title: `Being cancelled for ${duration(serverNow() - atMs)}: its clean-up runs` },
    h("p", {}, visible(reason)),
    h(
      "p",
      { class: "quiet" },
      "Another cancellation, with another reason, or Terminate ends the clean-up at once.",
    ),
  );
}

/** Says that it may wait for what has come, and did not fit. */
function SetAside({ head, setAside }: HeadProps): VNode | null {
  const [first] = setAside;
  if (first === undefined) return null;
  const title = `${number(setAside.length)} ${setAside.length === 1 ? "message was" : "messages were"} set aside`;
  return h(
    Notice,
    { state: "waiting", title },
    h(
      "p",
      {},
      `${first.kind} ${visible(first.name)} did not fit the schema of its wait, which stayed open. `,
      h(Link, { to: href("instance", { id: head.id, tab: "state" }) }, "Show the state"),
    ),
  );
}

const TITLES: Readonly<Partial<Record<State, string>>> = {
  cancelled: "Cancelled",
  "clean-up-failed": "Cancelled, clean-up failed: what it was to undo is left. Retry runs it again",
};

/** Why it does not go on. */
function Standing({ head }: { readonly head: InstanceHead }): VNode | null {
  const nowMs = serverNow();
  if (head.suspended !== undefined) {
    const { sinceMs, reason, by } = head.suspended;
    const title = `Suspended for ${duration(nowMs - sinceMs)}${by === undefined ? "" : ` by ${by}`}`;
    return h(Notice, { state: "suspended", title }, h("p", {}, visible(reason)));
  }
  const [block] = head.blocked;
  if (block !== undefined) {
    const title = `Blocked for ${duration(nowMs - block.sinceMs)}: ${block.reason}`;
    const next = block.nextTryAtMs > nowMs ? `. Tried again in ${duration(block.nextTryAtMs - nowMs)}.` : "";
    return h(Notice, { state: "blocked", title }, h("p", {}, visible(block.detail), next));
  }
  if (head.failure === undefined) return null;
  const { failure } = head;
  const { category } = failure;
  const state = category === "cancelled" || category === "clean-up-failed" ? category : "failed";
  return h(
    Notice,
    {
      state,
      title: TITLES[state] ?? failure.name ?? "Failed",
    },
    h("p", {}, visible(failure.message)),
  );
}

function unquoted(text: string): string {
  return /^"[^"\\]*"$/.test(text) ? text.slice(1, -1) : text;
}
