/** Work that a process does for others that died: its own death must change nothing. */
import { leaveCommit, leaveMessages, UNTIL_FIRST_PIECE } from "../../support/half-done.ts";
import { type Operation, operation } from "../operation.ts";

export const reconciling: readonly Operation[] = [
  operation({
    name: "reconciliation of messages",
    prepare: leaveMessages,
    act: (stage) => stage.reconcile(),
  }),
  operation({
    name: "reconciliation of a commit",
    prepare: (stage) => leaveCommit(stage, UNTIL_FIRST_PIECE),
    act: (stage) => stage.reconcile(),
  }),
];
