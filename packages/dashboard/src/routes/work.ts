/** `GET /api/work`: a page of queue rows, those with the earliest time first. `GET /api/queues`: how many there are. */
import type { QueueDepths } from "@duroxide-ts/core";
import type { WorkQuery } from "@duroxide-ts/core/stores";
import { choiceIn } from "../http/choice-in.ts";
import type { CountedQueues, QueueFigures, WorkPageView } from "../page/shapes/work.ts";
import { positiveNumber, type ReadRoute } from "./route.ts";

const ROWS = 100;
const PARAMETERS = ["kind", "instance", "tag", "overdue", "continuation"];
const KINDS = ["worker", "orchestrator"] as const;

export const work: ReadRoute = {
  path: "work",
  async read(call): Promise<WorkPageView> {
    const { source, query } = call;
    const { admin, clock } = source;
    for (const name of query.keys()) choiceIn("a parameter", name, PARAMETERS);
    const kind = query.get("kind") || undefined;
    const [instanceId, tag, continuation] = ["instance", "tag", "continuation"].map(
      (name) => query.get(name) || undefined,
    );
    const overdueByMs = positiveNumber(call, "overdue");
    const asked: WorkQuery = {
      limit: ROWS,
      ...(kind !== undefined && { kind: choiceIn('"kind"', kind, KINDS) }),
      ...(instanceId !== undefined && { instanceId }),
      ...(tag !== undefined && { tag }),
      ...(overdueByMs !== undefined && { overdueByMs }),
      ...(continuation !== undefined && { continuation }),
    };
    const page = await admin.work(asked);
    return {
      rows: page.work,
      ...(page.cost === undefined && { queues: queueFigures(await admin.queueDepths()) }),
      ...(page.continuation !== undefined && { continuation: page.continuation }),
      ...(page.cost !== undefined && { requestUnits: page.cost.requestUnits }),
      nowMs: clock.now(),
    };
  },
};

export const queues: ReadRoute = {
  path: "queues",
  async read({ source: { admin, clock } }): Promise<CountedQueues> {
    const found = queueFigures(await admin.queueDepths());
    return { ...found, asOfMs: clock.now() };
  },
};

/** Queue depths under the names of the page. */
function queueFigures({ orchestratorQueue, workerQueue, timerQueue }: QueueDepths): QueueFigures {
  return { orchestrator: orchestratorQueue, worker: workerQueue, later: timerQueue };
}
