/** Asks for the reason of an action on many instances, shows how far it is, and what was refused. */
import type { OperatorVerb } from "@duroxide-ts/core/operate";
import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { postResponse } from "../../browser/api.ts";
import { number, visible } from "../../browser/format.ts";
import { instanceHref } from "../../browser/place.ts";
import { h } from "../../element.ts";
import { ForceField } from "../../parts/act-dialog.ts";
import { Dialog } from "../../parts/dialog.ts";
import { Button, Link } from "../../parts/parts.ts";
import { Outcome, ReasonField } from "../../parts/reason.ts";
import { useWords } from "../../parts/session-context.ts";
import type { BulkProgress, BulkRequest } from "../../shapes/instances.ts";
import { added, whatIsLeft } from "./go-on.ts";

/** Refused instances that are listed. */
const MOST_LISTED = 50;

/** A rewind of many has no event in common. */
const BEFORE_FAILURE =
  "Goes back to before the turn with which each failed, and runs it again with the code that is deployed now.";

export interface BulkDialogProps {
  readonly verb: OperatorVerb;
  readonly count: number;
  readonly targets: Pick<BulkRequest, "ids" | "filter">;
  /** `isDone`: something may have changed. */
  readonly onClose: (isDone: boolean) => void;
}

type Refused = BulkProgress["refused"];

export function BulkDialog({ verb, count, targets, onClose }: BulkDialogProps): VNode {
  const [reason, setReason] = useState("");
  const [force, setForce] = useState(false);
  const [progress, setProgress] = useState<BulkProgress | undefined>(undefined);
  const [refused, setRefused] = useState<Refused>([]);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [isRunning, setRunning] = useState(false);
  const stop = useRef<AbortController | undefined>(undefined);
  const { label, explains, isDangerous, needsReason } = useWords()(verb);
  const run = (earlier?: BulkProgress): void => {
    const gone = new AbortController();
    stop.current = gone;
    setRunning(true);
    setFault(undefined);
    const request = {
      verb,
      reason,
      force,
      ...(earlier === undefined ? targets : whatIsLeft(targets, earlier)),
    };
    const show = (next: BulkProgress): void => {
      setProgress(earlier === undefined ? next : added(earlier, next));
      setRefused((before) => [...before, ...next.refused].slice(0, MOST_LISTED));
    };
    runBulk(request, show, gone.signal)
      .catch((error: unknown) => setFault(error instanceof Error ? error.message : String(error)))
      .finally(() => setRunning(false));
  };
  const isDone = progress?.done === true;
  return h(
    Dialog,
    {
      title: `${label} ${number(count)} ${count === 1 ? "instance" : "instances"}`,
      onClose: () => {
        stop.current?.abort();
        onClose(progress !== undefined);
      },
    },
    h("p", {}, verb === "rewind" ? BEFORE_FAILURE : explains),
    progress === undefined
      ? h(ReasonField, { value: reason, onChange: setReason })
      : h(Progress, { progress, isRunning }),
    progress === undefined && verb === "delete"
      ? h(ForceField, { label: "Also those that run", value: force, onChange: setForce })
      : null,
    h(RefusedList, { refused }),
    h(Outcome, { fault }),
    h(
      "footer",
      {},
      isRunning ? h(Button, { onClick: () => stop.current?.abort() }, "Abort") : null,
      !isRunning && progress !== undefined && !isDone
        ? h(Button, { onClick: () => run(progress) }, "Go on")
        : null,
      progress === undefined
        ? h(
            Button,
            {
              kind: isDangerous ? "danger" : "main",
              disabled: isRunning || (needsReason && reason.trim() === ""),
              onClick: () => run(),
            },
            `${label} ${number(count)}`,
          )
        : h(Button, { kind: "main", disabled: isRunning, onClick: () => onClose(true) }, "Close"),
    ),
  );
}

function Progress({
  progress,
  isRunning,
}: {
  readonly progress: BulkProgress;
  readonly isRunning: boolean;
}): VNode {
  const { succeeded, failed, total, done } = progress;
  const reached = succeeded + failed;
  const end = done ? "Done" : isRunning ? "Running" : "Ended early";
  return h(
    "div",
    { class: "progress", role: "status" },
    h("progress", { max: Math.max(1, total ?? reached), value: reached, "aria-label": "Progress" }),
    h(
      "p",
      {},
      `${end}: ${number(succeeded)} of ${number(total ?? reached)}${failed === 0 ? "" : `, ${number(failed)} refused`}`,
    ),
  );
}

function RefusedList({ refused }: { readonly refused: Refused }): VNode | null {
  if (refused.length === 0) return null;
  return h(
    "ul",
    { class: "refused", "aria-label": "Refused" },
    ...refused.map(({ id, message }) =>
      h(
        "li",
        { key: id },
        h(Link, { to: instanceHref(id) }, h("bdi", { class: "id" }, visible(id))),
        h("span", { class: "quiet" }, ` ${visible(message)}`),
      ),
    ),
  );
}

/** Resolves when the action has ended, also when it was aborted. */
async function runBulk(
  request: BulkRequest,
  onProgress: (progress: BulkProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await postResponse("bulk", request, signal);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (let chunk = await reader?.read(); chunk !== undefined && !chunk.done; chunk = await reader?.read()) {
      const lines = `${rest}${chunk.value}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onProgress(JSON.parse(line) as BulkProgress);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
