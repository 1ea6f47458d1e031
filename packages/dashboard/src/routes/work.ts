/** `GET /api/work`: a page of queue rows, those with the earliest time first. */
import type { WorkQuery } from "@duroxide-ts/core/stores";
import type { WorkPageView } from "../page/shapes/work.ts";
import { queueFigures } from "../source/queue-figures.ts";
import { positiveNumber, type ReadRoute } from "./route.ts";

const ROWS = 100;

export const work: ReadRoute = {
  path: "work",
  async read(call): Promise<WorkPageView> {
    const { source, query } = call;
    const { admin, clock } = source;
    const kind = query.get("kind");
    const [instanceId, tag, continuation] = ["instance", "tag", "continuation"].map(
      (name) => query.get(name) || undefined,
    );
    const overdueByMs = positiveNumber(call, "overdue");
    const asked: WorkQuery = {
      limit: ROWS,
      ...((kind === "worker" || kind === "orchestrator") && { kind }),
      ...(instanceId !== undefined && { instanceId }),
      ...(tag !== undefined && { tag }),
      ...(overdueByMs !== undefined && { overdueByMs }),
      ...(continuation !== undefined && { continuation }),
    };
    const [page, queues] = await Promise.all([
      admin.queries ? admin.work(asked) : { work: [], continuation: undefined, cost: undefined },
      admin.queueDepths().then(queueFigures),
    ]);
    return {
      rows: page.work,
      isUnsupported: !admin.queries,
      queues,
      ...(page.continuation !== undefined && { continuation: page.continuation }),
      ...(page.cost !== undefined && { requestUnits: page.cost.requestUnits }),
      nowMs: clock.now(),
    };
  },
};
