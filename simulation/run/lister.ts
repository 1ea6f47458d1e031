/** A client that lists instances now and then, page by page, as a dashboard does. */
import { type Client, sleep } from "@duroxide-ts/core";
import type { LinearReads } from "../checks/linear-reads.ts";
import type { ListedStatus } from "../checks/positions.ts";
import type { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import { insist } from "./insist.ts";

export interface ListerParts {
  readonly reads: LinearReads;
  readonly chance: Chance;
  /** Whether there is nothing more to look at. */
  readonly isOver: () => boolean;
  readonly onViolation: (violation: string) => void;
}

const PAUSE_MS = [1_000, 5_000, 15_000] as const;
const PAGE_SIZES = [3, 8, 100] as const;
const STATUSES = [undefined, undefined, "Running", "Completed"] as const;

export async function listNowAndThen(
  client: Client,
  machine: Machine,
  { reads, chance, isOver, onViolation }: ListerParts,
): Promise<void> {
  for (;;) {
    await sleep(machine, chance.pick(PAUSE_MS));
    if (isOver()) return;
    const list = chance.pick([instances, queried]);
    const size = chance.pick(PAGE_SIZES);
    const status = chance.pick(STATUSES);
    const read = (): Promise<readonly string[]> => list(client, size, status);
    await insist(machine, () => reads.list(status, machine.name, read), onViolation);
  }
}

type List = (
  client: Client,
  pageSize: number,
  status: ListedStatus | undefined,
) => Promise<readonly string[]>;

const instances: List = async ({ admin }, pageSize, status) => {
  const ids: string[] = [];
  for await (const id of admin.instances({ pageSize, ...(status !== undefined && { status }) })) ids.push(id);
  return ids;
};

const queried: List = async ({ admin }, limit, status) => {
  const ids: string[] = [];
  const filter = status === undefined ? {} : { status: [status] };
  let continuation: string | undefined;
  do {
    const page = await admin.query({ filter, limit, ...(continuation !== undefined && { continuation }) });
    ids.push(...page.instances.map(({ instanceId }) => instanceId));
    continuation = page.continuation;
  } while (continuation !== undefined);
  return ids;
};
