/** The figures at the top; each leads to the list that it counts. */
import type { VNode } from "preact";
import { duration, number } from "../../browser/format.ts";
import { href } from "../../browser/place.ts";
import { h } from "../../element.ts";
import { Link } from "../../parts/parts.ts";
import type { Figure, Overview } from "../../shapes/overview.ts";
import type { State } from "../../shapes/states.ts";

interface TileProps {
  readonly figure: string;
  readonly label: string;
  readonly to: string;
  /** Coloured if it says something. */
  readonly state?: State;
}

export function Tiles({ overview }: { readonly overview: Overview }): VNode {
  const { running, blocked, failedToday, ready, oldestDueMs, workers, deadLetters } = overview;
  const failures = { state: "failed", updated: "24h", order: "updated-desc" };
  const tiles: (TileProps | undefined)[] = [
    tileOf(running, "running", href("instances", { state: "running" }), "running"),
    tileOf(blocked, "blocked", href("instances", { state: "blocked" }), "blocked"),
    tileOf(failedToday, "failed, 24 h", href("instances", failures), "failed"),
    tileOf(ready, "ready in queues", href("work")),
    {
      figure: oldestDueMs === undefined ? "0" : duration(oldestDueMs),
      label: "oldest is due",
      to: href("work"),
    },
    workers === undefined ? undefined : { figure: number(workers), label: "workers", to: href("workers") },
    deadLetters?.count === 0
      ? undefined
      : tileOf(deadLetters, "dead letters", href("work", { show: "dead" }), "failed"),
  ];
  return h(
    "div",
    { class: "tiles" },
    ...tiles.filter((one) => one !== undefined).map((one) => h(Tile, { key: one.label, ...one })),
  );
}

/** Nothing where the store does not have the figure. */
function tileOf(figure: Figure | undefined, label: string, to: string, state?: State): TileProps | undefined {
  if (figure === undefined) return undefined;
  const isSome = figure.count > 0 || figure.isMore === true;
  return {
    figure: `${number(figure.count)}${figure.isMore === true ? "+" : ""}`,
    label,
    to,
    ...(isSome && state !== undefined && { state }),
  };
}

function Tile({ figure, label, to, state }: TileProps): VNode {
  return h(
    Link,
    { to, class: `tile ${state === undefined ? "" : `is-${state}`}` },
    h("span", { class: "figure" }, figure),
    h("span", { class: "label" }, label),
  );
}
