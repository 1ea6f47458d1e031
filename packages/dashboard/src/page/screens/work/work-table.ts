/** The rows of the queues. */
import type { QueuedWork } from "@duroxide-ts/core";
import type { VNode } from "preact";
import { distance, duration, visible } from "../../browser/format.ts";
import { instanceHref } from "../../browser/place.ts";
import { h } from "../../element.ts";
import { Badge, Link, Time } from "../../parts/parts.ts";
import type { State } from "../../shapes/states.ts";

/** A row that waits longer than this for a worker. */
const LATE_MS = 60_000;

const COLUMNS = ["State", "Message", "Name", "Instance", "Visible", "Held by", "Tries", "Tag"] as const;

export function WorkTable({
  rows,
  nowMs,
}: {
  readonly rows: readonly QueuedWork[];
  readonly nowMs: number;
}): VNode {
  return h(
    "div",
    { class: "table" },
    h(
      "table",
      { class: "cards" },
      h("caption", { class: "unseen" }, "Rows of the queues"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...COLUMNS.map((name) =>
            h("th", { key: name, scope: "col", class: name === "Tries" ? "number" : undefined }, name),
          ),
        ),
      ),
      h("tbody", {}, ...rows.map((row, index) => h(Row, { key: keyOf(row, index), row, nowMs }))),
    ),
  );
}

function Row({ row, nowMs }: { readonly row: QueuedWork; readonly nowMs: number }): VNode {
  const { item, name, eventId, instanceId, visibleAtMs, attempts, tag } = row;
  const { state, word } = standing(row, nowMs);
  return h(
    "tr",
    {},
    h("td", {}, h(Badge, { state, word })),
    h("td", { "data-label": "Message" }, item),
    h("td", { "data-label": "Name" }, `${visible(name ?? "")}${eventId === undefined ? "" : ` #${eventId}`}`),
    h(
      "td",
      { class: "id wide", "data-label": "Instance" },
      h(Link, { to: instanceHref(instanceId) }, h("bdi", {}, visible(instanceId))),
    ),
    h("td", { class: "time", "data-label": "Visible" }, h(Time, { ms: visibleAtMs })),
    h("td", { "data-label": "Held by" }, visible(row.lockOwner ?? "")),
    h("td", { class: "number", "data-label": "Tries" }, String(attempts)),
    h("td", { "data-label": "Tag" }, visible(tag ?? "")),
  );
}

function standing(row: QueuedWork, nowMs: number): { readonly state: State; readonly word: string } {
  const { lockedUntilMs, visibleAtMs, suspended } = row;
  if (lockedUntilMs !== undefined && lockedUntilMs > nowMs) {
    return { state: "running", word: `held, ${duration(lockedUntilMs - nowMs)} left` };
  }
  if (suspended) return { state: "suspended", word: "suspended" };
  if (visibleAtMs > nowMs) return { state: "waiting", word: distance(visibleAtMs, nowMs) };
  const dueMs = nowMs - visibleAtMs;
  return dueMs > LATE_MS
    ? { state: "failed", word: `due for ${duration(dueMs)}` }
    : { state: "queued", word: "ready" };
}

function keyOf({ kind, instanceId, item, eventId }: QueuedWork, index: number): string {
  return `${kind} ${instanceId} ${item} ${eventId ?? index}`;
}
