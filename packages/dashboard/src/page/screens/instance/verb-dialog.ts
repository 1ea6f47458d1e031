/** The dialog of an action on this instance. */
import type { OperatorVerb } from "@duroxide-ts/core/operate";
import type { VNode } from "preact";
import { h } from "../../element.ts";
import { ActDialog } from "../../parts/act-dialog.ts";
import { PruneDialog } from "../../parts/prune-dialog.ts";
import { SendDialog } from "../../parts/send-dialog.ts";
import { hasEnded } from "../../parts/took.ts";
import type { Bar, InstanceHead } from "../../shapes/instance.ts";

export function VerbDialog(props: {
  readonly verb: OperatorVerb;
  readonly eventId?: number;
  readonly head: InstanceHead;
  readonly bars: readonly Bar[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}): VNode {
  const { verb, eventId, head, bars, onClose, onDone } = props;
  const common = { id: head.id, onClose, onDone };
  if (verb === "raise" || verb === "enqueue") {
    const kind = verb === "raise" ? "event" : "queue";
    const open = bars.filter((bar) => bar.kind === kind && bar.endMs === undefined);
    return h(SendDialog, { ...common, verb, names: [...new Set(open.map(({ name }) => name))] });
  }
  if (verb === "prune") return h(PruneDialog, common);
  return h(ActDialog, {
    ...common,
    verb,
    isOpen: !hasEnded(head.state),
    ...(eventId !== undefined && { toEvent: eventId }),
  });
}
