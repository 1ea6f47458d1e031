/** Messages that did not fit the schema of their wait, each with the reason; an operator delivers one again. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { serverNow } from "../../browser/clock.ts";
import { distance, number, visible } from "../../browser/format.ts";
import { h } from "../../element.ts";
import { Button } from "../../parts/parts.ts";
import { PayloadView } from "../../parts/payload-view.ts";
import { RedeliverDialog } from "../../parts/redeliver-dialog.ts";
import { useMay, useWords } from "../../parts/session-context.ts";
import type { ShownMisfit, StateView } from "../../shapes/instance.ts";

interface SetAsideListProps {
  readonly instanceId: string;
  readonly state: StateView;
}

export function SetAsideList({ instanceId, state }: SetAsideListProps): VNode {
  const { setAside, setAsideCount: count, executionId } = state;
  const [chosen, setChosen] = useState<ShownMisfit | undefined>(undefined);
  const may = useMay();
  const { label } = useWords()("redeliver");
  const nowMs = serverNow();
  const isMore = count > setAside.length;
  return h(
    "section",
    { class: "unread", "aria-label": "Set aside" },
    h("h2", {}, "Set aside"),
    h(
      "p",
      { class: "quiet" },
      `${number(count)} ${count === 1 ? "event or message" : "events and messages"} that did not fit the schema of their wait, which stayed open.`,
      isMore ? ` The newest ${setAside.length} are listed.` : "",
    ),
    ...setAside.map((it) =>
      h(
        "div",
        { key: it.id, class: "set-aside" },
        h(PayloadView, {
          title: `${it.kind} ${visible(it.name)}`,
          note: `event ${it.id}, ${distance(it.atMs, nowMs)}`,
          payload: it.payload,
        }),
        h("p", { class: "fault" }, visible(it.misfit)),
        it.replacedBy === undefined
          ? may("redeliver")
            ? h(Button, { onClick: () => setChosen(it) }, label)
            : null
          : h("p", { class: "quiet" }, `Delivered again as event ${it.replacedBy}.`),
      ),
    ),
    chosen === undefined
      ? null
      : h(RedeliverDialog, {
          id: instanceId,
          executionId,
          message: chosen,
          onClose: () => setChosen(undefined),
        }),
  );
}
