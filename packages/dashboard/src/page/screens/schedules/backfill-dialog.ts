/** Asks for the period of a backfill, shows its due times, and runs them. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { apiPath, post } from "../../browser/api.ts";
import { serverNow } from "../../browser/clock.ts";
import { fullTime } from "../../browser/format.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { Trouble } from "../../parts/parts.ts";
import { ReasonDialog } from "../../parts/reason-dialog.ts";
import { TextField } from "../../parts/text-field.ts";
import type { DueTimesView } from "../../shapes/schedules.ts";

const DAY_MS = 86_400_000;
const INSTANT = "Such as 2026-05-01T10:00Z";

interface BackfillDialogProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function BackfillDialog({ name, onClose, onDone }: BackfillDialogProps): VNode {
  const [from, setFrom] = useState(() =>
    new Date(serverNow() - DAY_MS).toISOString().slice(0, 19).concat("Z"),
  );
  const [to, setTo] = useState(() => new Date(serverNow()).toISOString().slice(0, 19).concat("Z"));
  const isPeriod = Date.parse(from) <= Date.parse(to);
  const path = isPeriod ? apiPath("due-times", { name, from, to }) : undefined;
  const { data, error, readAtMs } = useResource<DueTimesView>(path, { keep: true });
  const times = isPeriod ? (data?.times ?? []) : [];
  const fields = [
    h(TextField, { label: "From", hint: INSTANT, value: from, onChange: setFrom, autofocus: true }),
    h(TextField, { label: "To", hint: INSTANT, value: to, onChange: setTo }),
    h(Trouble, { error, readAtMs }),
    h("p", { class: "quiet", role: "status" }, countText(times.length, data?.isCut === true)),
    h("ul", { class: "refused" }, ...times.map((ms) => h("li", { key: ms }, fullTime(ms)))),
  ];
  return h(ReasonDialog, {
    title: `Backfill ${name}`,
    explains: "The due times of a period run now. Those that have a run are not run again.",
    label: "Run them",
    disabled: times.length === 0,
    fields,
    act: (reason) => post("backfill", { name, from, to, reason }),
    onClose,
    onDone,
  });
}

function countText(count: number, isCut: boolean): string {
  if (isCut) return `More than ${count} due times, of which these are the first:`;
  return count === 1 ? "1 due time:" : `${count} due times:`;
}
