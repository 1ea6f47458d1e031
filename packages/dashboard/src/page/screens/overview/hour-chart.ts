/** The last hour, a column for each minute: three small pictures on one scale. */
import type { VNode } from "preact";
import { clockTime, number } from "../../browser/format.ts";
import { h } from "../../element.ts";
import type { Minute, Overview } from "../../shapes/overview.ts";
import type { State } from "../../shapes/states.ts";

const HEIGHT = 48;
const COLUMN = 6;

type Series = "started" | "completed" | "failed";

const SERIES: readonly (readonly [Series, State])[] = [
  ["started", "running"],
  ["completed", "completed"],
  ["failed", "failed"],
];

export function HourChart({ overview }: { readonly overview: Overview }): VNode {
  const { minutes, sampleSize } = overview;
  const most = Math.max(
    1,
    ...minutes.flatMap(({ started, completed, failed }) => [started, completed, failed]),
  );
  return h(
    "section",
    { class: "hour", "aria-label": "The last hour" },
    ...SERIES.map(([series, state]) => h(Columns, { key: series, minutes, series, state, most })),
    sampleSize === undefined
      ? null
      : h(
          "p",
          { class: "quiet" },
          `More changed in this hour than is shown: these are the last ${number(sampleSize)} instances.`,
        ),
  );
}

function Columns(props: {
  readonly minutes: readonly Minute[];
  readonly series: Series;
  readonly state: State;
  readonly most: number;
}): VNode {
  const { minutes, series, state, most } = props;
  const total = minutes.reduce((sum, minute) => sum + minute[series], 0);
  const width = minutes.length * COLUMN;
  return h(
    "figure",
    { class: `is-${state}` },
    h("figcaption", {}, h("strong", {}, number(total)), ` ${series} in the last hour`),
    h(
      "svg",
      {
        viewBox: `0 0 ${width} ${HEIGHT}`,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": `${total} ${series}, by minute`,
      },
      h("rect", { class: "floor", x: 0, y: HEIGHT - 1, width, height: 1 }),
      ...minutes.map((minute, index) => {
        const count = minute[series];
        if (count === 0) return null;
        const height = Math.max(3, (count / most) * (HEIGHT - 2));
        return h(
          "rect",
          { key: minute.atMs, x: index * COLUMN, y: HEIGHT - height, width: COLUMN - 1.5, height },
          h("title", {}, `${clockTime(minute.atMs).slice(0, 5)}: ${count} ${series}`),
        );
      }),
    ),
  );
}
