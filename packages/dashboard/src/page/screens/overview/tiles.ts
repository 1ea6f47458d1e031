/** The figures at the top; each leads to the list that it counts. */
import type { VNode } from "preact";
import { duration, number } from "../../browser/format.ts";
import { href } from "../../browser/place.ts";
import { h } from "../../element.ts";
import { Link } from "../../parts/parts.ts";
import type { Overview } from "../../shapes/overview.ts";
import type { State } from "../../shapes/states.ts";

interface TileProps {
  readonly figure: string;
  readonly label: string;
  readonly to: string;
  /** Coloured if it says something. */
  readonly state?: State;
}

export function Tiles({ overview }: { readonly overview: Overview }): VNode {
  const { running, blocked, failedToday, queues, oldestDueMs, workers, deadLetters } = overview;
  const some = (count: number | undefined, state: State): { readonly state?: State } =>
    count !== undefined && count > 0 ? { state } : {};
  const tiles: (TileProps | undefined)[] = [
    running === undefined
      ? undefined
      : {
          figure: number(running),
          label: "running",
          to: href("instances", { state: "running" }),
          ...some(running, "running"),
        },
    blocked === undefined
      ? undefined
      : {
          figure: `${number(blocked)}${overview.blockedIsMore === true ? "+" : ""}`,
          label: "blocked",
          to: href("instances", { state: "blocked" }),
          ...some(blocked, "blocked"),
        },
    failedToday === undefined
      ? undefined
      : {
          figure: number(failedToday),
          label: "failed, 24 h",
          to: href("instances", { state: "failed", updated: "24h", order: "updated-desc" }),
          ...some(failedToday, "failed"),
        },
    { figure: number(queues.orchestrator + queues.worker), label: "ready in queues", to: href("work") },
    {
      figure: oldestDueMs === undefined ? "0" : duration(oldestDueMs),
      label: "oldest is due",
      to: href("work"),
    },
    workers === undefined ? undefined : { figure: number(workers), label: "workers", to: href("workers") },
    deadLetters === undefined || deadLetters === 0
      ? undefined
      : {
          figure: `${number(deadLetters)}${overview.deadLettersIsMore === true ? "+" : ""}`,
          label: "dead letters",
          to: href("work", { show: "dead" }),
          state: "failed",
        },
  ];
  return h(
    "div",
    { class: "tiles" },
    ...tiles.filter((one) => one !== undefined).map((one) => h(Tile, { key: one.label, ...one })),
  );
}

function Tile({ figure, label, to, state }: TileProps): VNode {
  return h(
    Link,
    { to, class: `tile ${state === undefined ? "" : `is-${state}`}` },
    h("span", { class: "figure" }, figure),
    h("span", { class: "label" }, label),
  );
}
