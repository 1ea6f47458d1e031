/** Queue rows, page by page. */
import type { Admin, QueuedWork, WorkQuery } from "@duroxide-ts/core";

export async function readWork(admin: Admin, query: WorkQuery, most: number): Promise<readonly QueuedWork[]> {
  const work: QueuedWork[] = [];
  let continuation: string | undefined;
  do {
    const page = await admin.work({
      ...query,
      limit: Math.min(1_000, most - work.length),
      ...(continuation !== undefined && { continuation }),
    });
    work.push(...page.work);
    continuation = page.continuation;
  } while (continuation !== undefined && work.length < most);
  return work;
}
