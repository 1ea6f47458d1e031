/** Rows that no process could read, with what can be done with them. */
import type { DeadLetter } from "@duroxide-ts/core";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { apiPath, post } from "../../browser/api.ts";
import { visible } from "../../browser/format.ts";
import { instanceHref } from "../../browser/place.ts";
import { useResource } from "../../browser/resource.ts";
import { h } from "../../element.ts";
import { LongText } from "../../parts/long-text.ts";
import { Pages } from "../../parts/pages.ts";
import { Button, Empty, Link, Loading, Time, Trouble } from "../../parts/parts.ts";
import { ReasonDialog } from "../../parts/reason-dialog.ts";
import { useSession } from "../../parts/session-context.ts";
import type { DeadLettersView } from "../../shapes/work.ts";
import type { ScreenProps } from "../screen.ts";

interface Choice {
  readonly verb: "requeue" | "drop";
  readonly letter: DeadLetter;
}

export function DeadLetters({ query }: ScreenProps): VNode {
  const continuation = query.get("continuation") ?? undefined;
  const list = useResource<DeadLettersView>(apiPath("dead-letters", { continuation }), {
    everyMs: 10_000,
    keep: true,
  });
  const [choice, setChoice] = useState<Choice | undefined>(undefined);
  const { data, error, readAtMs, isOld } = list;
  if (data === undefined)
    return error === undefined ? h(Loading, { what: "dead letters" }) : h(Trouble, { error, readAtMs });
  const hasPages = continuation !== undefined || data.continuation !== undefined;
  if (data.rows.length === 0 && !hasPages)
    return h(Empty, { title: "No dead letters" }, "Every row could be read.");
  return h(
    "div",
    { class: "letters", "aria-busy": isOld },
    h(Trouble, { error, readAtMs }),
    data.rows.length === 0 ? h(Empty, { title: "No dead letters on this page" }) : null,
    ...data.rows.map((letter) =>
      h(Letter, { key: letter.id, letter, onChoose: (verb) => setChoice({ verb, letter }) }),
    ),
    hasPages ? h(Pages, { isFirst: continuation === undefined, continuation: data.continuation }) : null,
    choice === undefined
      ? null
      : h(LetterDialog, { ...choice, onClose: () => setChoice(undefined), onDone: list.reload }),
  );
}

function Letter(props: {
  readonly letter: DeadLetter;
  readonly onChoose: (verb: Choice["verb"]) => void;
}): VNode {
  const { letter, onChoose } = props;
  const mayAct = useSession().verbs.length > 0;
  return h(
    "article",
    { class: "letter" },
    h(
      "header",
      {},
      h(Link, { to: instanceHref(letter.instanceId) }, h("bdi", { class: "id" }, visible(letter.instanceId))),
      h("span", { class: "quiet" }, letter.kind === "worker" ? "activity" : "message"),
      h("span", { class: "quiet" }, h(Time, { ms: letter.movedAtMs })),
      mayAct
        ? h(
            "span",
            { class: "acts" },
            h(Button, { onClick: () => onChoose("requeue") }, "Put back"),
            h(Button, { onClick: () => onChoose("drop") }, "Drop"),
          )
        : null,
    ),
    h("p", {}, visible(letter.reason)),
    h(LongText, { text: letter.text, label: "The row as stored" }),
  );
}

const TEXTS = {
  requeue: { label: "Put back", explains: "The row goes back into its queue, for workers that can read it." },
  drop: { label: "Drop", explains: "The row is deleted. What waits for it waits for ever." },
} as const;

function LetterDialog(props: Choice & { readonly onClose: () => void; readonly onDone: () => void }): VNode {
  const { verb, letter, onClose, onDone } = props;
  const { label, explains } = TEXTS[verb];
  return h(ReasonDialog, {
    title: `${label}: ${letter.instanceId}`,
    explains,
    label,
    isDangerous: verb === "drop",
    act: (reason) => post(verb, { id: letter.id, reason }),
    onClose,
    onDone,
  });
}
