/** Queue rows, page by page. */
import type { Admin, QueuedWork, WorkQuery } from "@duroxide-ts/core";
import { upTo } from "./up-to.ts";

export function readWork(admin: Admin, query: WorkQuery, most: number): Promise<readonly QueuedWork[]> {
  return upTo(most, async (request) => {
    const { work, continuation } = await admin.work({ ...query, ...request });
    return { rows: work, continuation };
  });
}
