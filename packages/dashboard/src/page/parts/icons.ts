/** Glyphs of states and of actions: 16 px, drawn with the colour of the text. */
import type { VNode } from "preact";
import { h } from "../element.ts";
import type { State } from "../shapes/states.ts";

const STATE_PATHS: Readonly<Record<State, string>> = {
  running: "M8 2.5a5.5 5.5 0 1 0 5.5 5.5M8 5v3l2 1.5",
  "waiting-for-limit": "M4.5 2.5h7M4.5 13.5h7M5.5 2.5v2.2L8 8l2.5-3.3V2.5M5.5 13.5v-2.2L8 8l2.5 3.3v2.2",
  scheduled: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M8 5v3.2l2 1.3",
  completed: "M3.5 8.5l3 3 6-7",
  failed: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  cancelled: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M4.2 11.8l7.6-7.6",
  "clean-up-failed": "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M8 5.2v3.6M8 10.8v.2",
  blocked: "M5.7 2.5h4.6l3.2 3.2v4.6l-3.2 3.2H5.7L2.5 10.3V5.7zM8 5.2v3.3M8 10.6v.2",
  suspended: "M5.7 3.5v9M10.3 3.5v9",
  retrying: "M13 8a5 5 0 1 1-1.6-3.7M13 2.8v2.7h-2.7",
  waiting: "M4 2.5h8M4 13.5h8M5 2.5c0 3 6 4.5 6 8v3M11 2.5c0 3-6 4.5-6 8v3",
  queued: "M3 5h10M3 8h10M3 11h6",
  cancelling: "M8 2.5a5.5 5.5 0 1 0 5.5 5.5M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4",
  compensating: "M6 3.5 3 6.5l3 3M3 6.5h6a3.5 3.5 0 0 1 0 7H6",
};

const PATHS = {
  overview: "M2.5 13.5v-5M6.2 13.5v-9M9.8 13.5v-6M13.5 13.5v-11",
  instances: "M2.5 4h11M2.5 8h11M2.5 12h11",
  limits: "M2.5 11.5a5.5 5.5 0 1 1 11 0M8 11.5l2.5-4",
  work: "M2.5 5.5l5.5-3 5.5 3-5.5 3zM2.5 8.5l5.5 3 5.5-3M2.5 11l5.5 3 5.5-3",
  workers: "M3 3h10v4H3zM3 9h10v4H3zM5.5 5h.1M5.5 11h.1",
  start: "M5 3.2l7.5 4.8L5 12.8z",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M10.3 10.3l3.2 3.2",
  moon: "M13 9.5A5.6 5.6 0 0 1 6.5 3a5.6 5.6 0 1 0 6.5 6.5z",
  sun: "M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
  pause: "M5.7 3.5v9M10.3 3.5v9",
  play: "M5 3.2l7.5 4.8L5 12.8z",
  help: "M6 6a2 2 0 1 1 2.8 1.9c-.6.3-.8.6-.8 1.3M8 11.4v.2",
  copy: "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
  close: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  next: "M6 3.5l4.5 4.5L6 12.5",
  previous: "M10 3.5L5.5 8l4.5 4.5",
  down: "M3.5 6L8 10.5 12.5 6",
  more: "M3.5 8h.1M8 8h.1M12.5 8h.1",
  download: "M8 2.5v7.5M5 7.5L8 10.5l3-3M3 13.5h10",
  external: "M6 3.5H3.5v9h9V10M9 3h4v4M13 3L7.5 8.5",
  plus: "M8 3.5v9M3.5 8h9",
  activity: "M3 4.5h10v7H3z",
  timer: "M8 3.5a5 5 0 1 0 0 10a5 5 0 1 0 0-10M8 6v2.6l1.6 1M6.5 1.5h3",
  event: "M8.8 2L4 9h3.4l-.6 5L12 6.8H8.4z",
  queue: "M3 4h10M3 8h10M3 12h10",
  child: "M4 2.5v6.5h5M9 6.5h4.5v5H9z",
  detached: "M4 12L12 4M6.5 4H12v5.5",
  question: "M6 6a2 2 0 1 1 2.8 1.9c-.6.3-.8.6-.8 1.3M8 11.4v.2",
  message: "M2.5 4h11v8h-11zM2.5 4.5L8 9l5.5-4.5",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName, size = 16): VNode {
  return drawn(PATHS[name], size);
}

export function stateIcon(state: State, size = 16): VNode {
  return drawn(STATE_PATHS[state], size);
}

function drawn(d: string, size: number): VNode {
  return h(
    "svg",
    {
      class: "icon",
      viewBox: "0 0 16 16",
      width: size,
      height: size,
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 1.6,
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      "aria-hidden": "true",
    },
    h("path", { d }),
  );
}
