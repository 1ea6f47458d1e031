/** The schedules with their next and last runs, and what can be done with them. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { apiPath } from "../../browser/api.ts";
import { fullTime, visible } from "../../browser/format.ts";
import { href, instanceHref } from "../../browser/place.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { Facts } from "../../parts/facts.ts";
import { Badge, Button, Empty, Link, Loading, Time, Trouble } from "../../parts/parts.ts";
import { useSession } from "../../parts/session-context.ts";
import type { ScheduleRow, ScheduleRun, SchedulesView, ScheduleView } from "../../shapes/schedules.ts";
import { stateWords } from "../../shapes/states.ts";
import { BackfillDialog } from "./backfill-dialog.ts";
import { ScheduleDialog, type ScheduleVerb } from "./schedule-dialog.ts";

const REFRESH_MS = 10_000;
const RUNS_MS = 30_000;

interface Choice {
  readonly verb: ScheduleVerb | "backfill";
  readonly name: string;
}

export function SchedulesScreen(): VNode {
  const { data, error, readAtMs, reload } = useResource<SchedulesView>("schedules", { everyMs: REFRESH_MS });
  const [choice, setChoice] = useState<Choice | undefined>(undefined);
  if (data === undefined)
    return error === undefined ? h(Loading, { what: "the schedules" }) : h(Trouble, { error, readAtMs });
  const onClose = (): void => setChoice(undefined);
  return h(
    "div",
    { class: "screen" },
    h("div", { class: "heading" }, h("h1", {}, "Schedules")),
    h(Trouble, { error, readAtMs }),
    data.rows.length === 0
      ? h(Empty, {
          title: "There are no schedules",
          children: "Code gives them to Runtime.start({ schedules }), and the command line applies a file.",
          command: "npx @duroxide-ts/cli schedules apply schedules.json",
        })
      : h(
          "div",
          { class: "letters" },
          ...data.rows.map((row) =>
            h(Schedule, { key: row.name, row, onChoose: (verb) => setChoice({ verb, name: row.name }) }),
          ),
        ),
    choice === undefined
      ? null
      : choice.verb === "backfill"
        ? h(BackfillDialog, { name: choice.name, onClose, onDone: reload })
        : h(ScheduleDialog, { verb: choice.verb, name: choice.name, onClose, onDone: reload }),
  );
}

const BADGES = { active: "running", paused: "suspended", ended: "completed" } as const;

function Schedule(props: {
  readonly row: ScheduleRow;
  readonly onChoose: (verb: Choice["verb"]) => void;
}): VNode {
  const { row, onChoose } = props;
  const { name, state, rule, orchestration, overlap, owner, paused, lastFailure, queued, blocked } = row;
  const mayAct = useSession().verbs.length > 0;
  const { data } = useResource<ScheduleView>(apiPath("schedule", { name }), { everyMs: RUNS_MS });
  return h(
    "article",
    { class: "letter" },
    h(
      "header",
      {},
      h("h2", {}, h("bdi", { class: "id" }, visible(name))),
      h(Badge, { state: BADGES[state], word: state }),
      mayAct
        ? h(
            "span",
            { class: "acts" },
            state === "paused"
              ? h(Button, { onClick: () => onChoose("resume") }, "Resume")
              : h(Button, { onClick: () => onChoose("pause") }, "Pause"),
            h(Button, { onClick: () => onChoose("trigger") }, "Trigger"),
            h(Button, { onClick: () => onChoose("backfill") }, "Backfill"),
            h(Button, { onClick: () => onChoose("delete") }, "Delete"),
          )
        : null,
    ),
    paused === undefined
      ? null
      : h(
          "p",
          {},
          "Paused ",
          h(Time, { ms: paused.sinceMs, ago: true }),
          paused.by === undefined ? "" : ` by ${visible(paused.by)}`,
          paused.reason === undefined ? "" : `: ${visible(paused.reason)}`,
        ),
    lastFailure === undefined
      ? null
      : h(
          "p",
          { class: "fault" },
          h(Time, { ms: lastFailure.dueMs }),
          ` did not start: ${visible(lastFailure.message)}`,
        ),
    blocked === undefined
      ? null
      : h(
          "p",
          { class: "fault" },
          h(Link, { to: instanceHref(blocked.id) }, visible(blocked.id)),
          ` is blocked: ${visible(blocked.detail)}`,
        ),
    h(Facts, {
      facts: [
        ["When", visible(rule)],
        ["Starts", h(Link, { to: href("instances", { name: orchestration }) }, visible(orchestration))],
        ["Next", h(Times, { times: data?.next ?? (row.nextDueMs === undefined ? [] : [row.nextDueMs]) })],
        ["Last", row.lastDueMs === undefined ? "none" : h(Time, { ms: row.lastDueMs, ago: true })],
        ["Overlap", queued === 0 ? overlap : `${overlap}, ${queued} wait`],
        ["Owner", visible(owner)],
      ],
    }),
    data?.runs.length === 0 && blocked !== undefined ? null : h(Outcomes, { name, runs: data?.runs ?? [] }),
  );
}

function Times({ times }: { readonly times: readonly number[] }): VNode {
  if (times.length === 0) return h("span", { class: "quiet" }, "none");
  return h(
    "span",
    {},
    ...times.map((ms, at) => h("span", { key: ms }, at === 0 ? "" : ", ", h(Time, { ms }))),
  );
}

/** A bar for each of the last runs, the newest at the right. */
function Outcomes({ name, runs }: { readonly name: string; readonly runs: readonly ScheduleRun[] }): VNode {
  const all = h(Link, { to: href("instances", { schedule: name }) }, "All runs");
  if (runs.length === 0) return h("p", { class: "quiet" }, "No runs yet");
  return h(
    "div",
    { class: "outcomes" },
    ...runs.toReversed().map(({ id, state, createdAtMs }) =>
      h(
        Link,
        {
          key: id,
          to: instanceHref(id),
          class: `outcome is-${state}`,
          label: `${stateWords(state)}, began ${fullTime(createdAtMs)}`,
        },
        h("span", {}),
      ),
    ),
    all,
  );
}
