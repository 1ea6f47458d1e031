/** Queue rows, page by page. */
import type { QueuedWork, WorkQuery } from "@duroxide-ts/core";
import type { AnyAdmin } from "@duroxide-ts/core/client";
import { upTo } from "./up-to.ts";

export function readWork(admin: AnyAdmin, query: WorkQuery, most: number): Promise<readonly QueuedWork[]> {
  return upTo(most, async (request) => {
    const { work, continuation } = await admin.work({ ...query, ...request });
    return { rows: work, continuation };
  });
}
