/** The ids of all instances that match, a page at a time. */
import type { ProviderAdmin } from "../contract/admin.ts";
import type { InstanceFilter } from "../contract/queries.ts";

/** Newest first. */
export async function* instanceIds(
  admin: Pick<ProviderAdmin, "queryInstances">,
  filter: InstanceFilter,
  limit?: number,
): AsyncGenerator<string, void, undefined> {
  const page = { filter, ...(limit !== undefined && { limit }) };
  let continuation: string | undefined;
  do {
    const found = await admin.queryInstances({
      ...page,
      ...(continuation !== undefined && { continuation }),
    });
    for (const { instanceId } of found.instances) yield instanceId;
    continuation = found.continuation;
  } while (continuation !== undefined);
}
