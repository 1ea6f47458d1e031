/** Starts with messages: all of it or nothing. What a restart deletes is started anew, whichever process finishes it. */
import type { StartInstanceOptions, StartOutcome } from "@duroxide-ts/core/stores";
import { startItem } from "@duroxide-ts/provider-tests/building-blocks";
import type { Document } from "../../invariants/documents.ts";
import { cutOff } from "../../support/half-done.ts";
import type { Stage } from "../../support/stage.ts";
import { begin, carryOut, settle } from "../../support/steps.ts";
import { type Operation, operation } from "../operation.ts";

const MESSAGES = ["one", "two"].map(
  (name) => ({ kind: "ExternalRaised", instance: "a", name, data: "{}" }) as const,
);

function start(
  { provider }: Pick<Stage, "provider">,
  ifExists: StartInstanceOptions["ifExists"],
): Promise<StartOutcome> {
  return provider.startInstance(startItem("a"), { ifExists, messages: MESSAGES, messageId: "start" });
}

/** "a", which has ended, with children of which one has not. */
async function endWithChildren(stage: Stage): Promise<void> {
  await begin(stage, "a");
  await carryOut(stage, "a", {
    keys: 60,
    children: [{ id: "child-1" }, { id: "child-2", plan: { keys: 1 } }],
  });
  await settle(stage);
  await carryOut(stage, "a", { end: true });
}

/** There is an instance or its start at every moment, and a start has its messages. */
const STARTED_WITH_ITS_MESSAGES = (documents: readonly Document[]): readonly string[] => {
  const own = documents.filter(({ instanceId }) => instanceId === "a");
  const rows = own.filter(({ type }) => type === "orch_queue").length;
  if (own.some(({ type }) => type === "instance"))
    return rows === 0 ? [] : [`${rows} rows beside the instance`];
  return rows === 1 + MESSAGES.length ? [] : [`${rows} rows, and no instance`];
};

const WHOLE_OR_NOT_AT_ALL = (documents: readonly Document[]): readonly string[] => {
  const rows = documents.filter(({ type }) => type === "orch_queue").length;
  return rows === 0 || rows === 1 + MESSAGES.length ? [] : [`${rows} rows`];
};

/** Wait that is over when the survivors begin, also that of a repetition when they end. */
const WAIT_MS = 10_000;

function debounced(
  { provider }: Pick<Stage, "provider">,
  ifExists: StartInstanceOptions["ifExists"],
  messageId: string,
  waitMs = WAIT_MS,
): Promise<StartOutcome> {
  return provider.startInstance(startItem("a"), { ifExists, messages: [], messageId, debounce: { waitMs } });
}

const AT_MOST_ONE_WAITS = (documents: readonly Document[]): readonly string[] => {
  const rows = documents.filter(({ type }) => type === "orch_queue").length;
  return rows <= 1 ? [] : [`${rows} rows`];
};

export const starts: readonly Operation[] = [
  ...(["reuse", "fail"] as const).map((ifExists) =>
    operation({
      name: `start with messages, ifExists: ${ifExists}`,
      prepare: (stage) => begin(stage, "b"),
      act: (stage) => start(stage, ifExists),
      halfway: WHOLE_OR_NOT_AT_ALL,
      repeat: (stage) => start(stage, ifExists),
    }),
  ),
  operation({
    name: "restart",
    prepare: endWithChildren,
    act: (stage) => start(stage, "restart"),
    halfway: STARTED_WITH_ITS_MESSAGES,
    repeat: (stage) => start(stage, "restart"),
  }),
  operation({
    name: "reconciliation of a restart",
    async prepare(stage) {
      await endWithChildren(stage);
      const actor = await stage.openAnother();
      // Reading, the intent with the first mark, and the children.
      await cutOff(actor, 10, () => start(actor, "restart"));
    },
    act: (stage) => stage.reconcile(),
    halfway: STARTED_WITH_ITS_MESSAGES,
    repeat: (stage) => start(stage, "restart"),
  }),
  operation({
    name: "debounced start",
    prepare: async () => {},
    act: (stage) => debounced(stage, "reuse", "start"),
    halfway: AT_MOST_ONE_WAITS,
    repeat: (stage) => debounced(stage, "reuse", "start"),
  }),
  operation({
    name: "debounced start in place of another",
    prepare: (stage) => debounced(stage, "reuse", "before"),
    act: (stage) => debounced(stage, "reuse", "start"),
    halfway: AT_MOST_ONE_WAITS,
  }),
  operation({
    name: "restart by a debounced start",
    async prepare(stage) {
      await endWithChildren(stage);
      await debounced(stage, "restart", "start", 0);
    },
    act: settle,
    halfway: AT_MOST_ONE_WAITS,
    repeat: (stage) => debounced(stage, "restart", "start", 0),
  }),
];
