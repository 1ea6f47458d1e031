/** The blocked work of a store: what the store has noted, then activities with a tag that no process serves. */
import type { ProviderAdmin } from "../contract/admin.ts";
import type { Blocked } from "../contract/status.ts";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { choiceFault } from "../options/option-kinds.ts";
import { checkOptions, type OptionList, optionList } from "../options/option-list.ts";
import { unservedActivities } from "./unserved-tags.ts";

/** The options of `Admin.blocked`. */
export interface BlockedOptions {
  /** Only work with this reason. */
  readonly reason?: Blocked["reason"];
  /**
   * Whether activities with a tag that no process serves are looked for, among up to 10,000 rows of the queue; true by
   * default.
   */
  readonly unserved?: boolean;
  /** Entries read at a time; 100 by default. */
  readonly pageSize?: number;
}

const BLOCKED_OPTIONS: OptionList = optionList<BlockedOptions>({
  reason: true,
  unserved: true,
  pageSize: true,
});

/** A record, so that a reason that is added to the type and not here does not compile. */
const REASONS: readonly string[] = Object.keys({
  nondeterminism: true,
  defect: true,
  "missing-orchestration": true,
  "missing-activity": true,
  store: true,
  attempts: true,
  "unserved-tag": true,
} satisfies Readonly<Record<Blocked["reason"], true>>);

export async function* listBlocked(
  admin: ProviderAdmin,
  options: BlockedOptions,
): AsyncGenerator<Blocked, void, undefined> {
  checkOptions("admin.blocked", options, BLOCKED_OPTIONS);
  const { pageSize, reason, unserved = true } = options;
  const fault = choiceFault("admin.blocked: reason", reason, REASONS);
  if (fault !== undefined) throw new InvalidInputError(fault);
  if (reason !== "unserved-tag") {
    for await (const blocked of storedBlocks(admin, pageSize)) {
      if (reason === undefined || blocked.reason === reason) yield blocked;
    }
  }
  const isSearched = unserved && (reason === undefined || reason === "unserved-tag");
  if (isSearched) yield* unservedActivities(admin);
}

async function* storedBlocks(
  admin: ProviderAdmin,
  pageSize: number | undefined,
): AsyncGenerator<Blocked, void, undefined> {
  let continuation: string | undefined;
  do {
    const page = await admin.listBlocked({
      ...(pageSize !== undefined && { limit: pageSize }),
      ...(continuation !== undefined && { continuation }),
    });
    yield* page.blocked;
    continuation = page.continuation;
  } while (continuation !== undefined);
}
