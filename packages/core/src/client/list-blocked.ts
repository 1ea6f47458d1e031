/** The blocked work of a store: what the store has noted, then activities with a tag that no process serves. */
import type { ProviderAdmin } from "../contract/admin.ts";
import type { Blocked } from "../contract/status.ts";
import { checkOptions, type OptionList, optionList } from "../options/option-list.ts";
import { unservedActivities } from "./unserved-tags.ts";

/** The options of `Admin.blocked`. */
export interface BlockedOptions {
  /** Only work with this reason. */
  readonly reason?: Blocked["reason"];
  /** Entries read at a time; 100 by default. */
  readonly pageSize?: number;
}

const BLOCKED_OPTIONS: OptionList = optionList<BlockedOptions>({ reason: true, pageSize: true });

export async function* listBlocked(
  admin: ProviderAdmin,
  options: BlockedOptions,
): AsyncGenerator<Blocked, void, undefined> {
  checkOptions("admin.blocked", options, BLOCKED_OPTIONS);
  const { pageSize, reason } = options;
  if (reason !== "unserved-tag") {
    for await (const blocked of storedBlocks(admin, pageSize)) {
      if (reason === undefined || blocked.reason === reason) yield blocked;
    }
  }
  if (admin.queries !== undefined && (reason === undefined || reason === "unserved-tag")) {
    yield* unservedActivities(admin.queries);
  }
}

async function* storedBlocks(
  admin: ProviderAdmin,
  pageSize: number | undefined,
): AsyncGenerator<Blocked, void, undefined> {
  let continuation: string | undefined;
  do {
    const page = await admin.listBlocked?.({
      ...(pageSize !== undefined && { limit: pageSize }),
      ...(continuation !== undefined && { continuation }),
    });
    if (page !== undefined) yield* page.blocked;
    continuation = page?.continuation;
  } while (continuation !== undefined);
}
