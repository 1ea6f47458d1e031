/** The limits with what runs and waits under each, and the change of a rule. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { duration, visible } from "../../browser/format.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { Facts } from "../../parts/facts.ts";
import { Button, Empty, Loading, Time, Trouble } from "../../parts/parts.ts";
import { useSession } from "../../parts/session-context.ts";
import type { LimitRow, LimitsView } from "../../shapes/limits.ts";
import { DeleteLimitDialog, LimitDialog } from "./limit-dialog.ts";

const REFRESH_MS = 5_000;

interface Choice {
  readonly verb: "set" | "delete";
  /** Absent for a new rule. */
  readonly row?: LimitRow;
}

export function LimitsScreen(): VNode {
  const { data, error, readAtMs, reload } = useResource<LimitsView>("limits", { everyMs: REFRESH_MS });
  const [choice, setChoice] = useState<Choice | undefined>(undefined);
  const mayAct = useSession().verbs.length > 0;
  if (data === undefined)
    return error === undefined ? h(Loading, { what: "the limits" }) : h(Trouble, { error, readAtMs });
  const { rows, isSupported } = data;
  const onClose = (): void => setChoice(undefined);
  const most = Math.max(1, ...rows.map(({ running, waiting }) => running + waiting));
  return h(
    "div",
    { class: "screen" },
    h(
      "div",
      { class: "heading" },
      h("h1", {}, "Limits"),
      mayAct && isSupported
        ? h("span", { class: "acts" }, h(Button, { onClick: () => setChoice({ verb: "set" }) }, "New limit"))
        : null,
    ),
    h(Trouble, { error, readAtMs }),
    rows.length === 0
      ? isSupported
        ? h(Empty, {
            title: "There are no limits",
            children: "Code gives them to Runtime.start({ limits }), and operators set them while work runs.",
            command: "npx @duroxide-ts/cli limits set partner --concurrency 5",
          })
        : h(Empty, { title: "This store has no limits", children: "Calls with a limit run at once." })
      : h(
          "div",
          { class: "letters" },
          ...rows.map((row) =>
            h(Limit, {
              key: row.key,
              row,
              most,
              ...(mayAct && { onChoose: (verb: Choice["verb"]) => setChoice({ verb, row }) }),
            }),
          ),
        ),
    choice === undefined
      ? null
      : choice.verb === "delete" && choice.row !== undefined
        ? h(DeleteLimitDialog, { name: choice.row.key, onClose, onDone: reload })
        : h(LimitDialog, { ...(choice.row && { row: choice.row }), onClose, onDone: reload }),
  );
}

function Limit(props: {
  readonly row: LimitRow;
  /** The longest bar of the page. */
  readonly most: number;
  readonly onChoose?: (verb: Choice["verb"]) => void;
}): VNode {
  const { row, most, onChoose } = props;
  const { key, rule, running, waiting, oldestWaitingMs, changedAtMs, by, reason } = row;
  const who = by === undefined ? "code" : visible(by);
  return h(
    "article",
    { class: "letter" },
    h(
      "header",
      {},
      h("h2", {}, h("bdi", { class: "id" }, visible(key))),
      onChoose === undefined
        ? null
        : h(
            "span",
            { class: "acts" },
            h(Button, { onClick: () => onChoose("set") }, "Change"),
            h(Button, { onClick: () => onChoose("delete") }, "Delete"),
          ),
    ),
    h(
      "div",
      { class: "load", "aria-hidden": true },
      h("span", { class: "is-running", style: { width: `${(running / most) * 100}%` } }),
      h("span", { class: "is-waiting", style: { width: `${(waiting / most) * 100}%` } }),
    ),
    h(Facts, {
      facts: [
        ["Limit", rule],
        ["Running", String(running)],
        ["Waiting", waiting === 0 ? "0" : `${waiting}, the oldest for ${duration(oldestWaitingMs)}`],
        ["Changed", h("span", {}, h(Time, { ms: changedAtMs, ago: true }), ` by ${who}`)],
        ...(reason === undefined ? [] : [["Reason", visible(reason)] as const]),
      ],
    }),
  );
}
