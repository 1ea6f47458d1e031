/** A client that lists instances now and then, page by page, as a dashboard does. */
import { type Client, sleep } from "@duroxide-ts/core";
import type { LinearReads, ListedInstance } from "../checks/linear-reads.ts";
import type { ListedStatus } from "../checks/positions.ts";
import type { Chance } from "../world/chance.ts";
import type { Machine } from "../world/machine.ts";
import { retryUntilDone } from "./retry-until-done.ts";

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
    const read = (): Promise<readonly ListedInstance[]> => list(client, size, status);
    await retryUntilDone(machine, () => reads.list(status, machine.name, read), onViolation);
  }
}

type List = (
  client: Client,
  pageSize: number,
  status: ListedStatus | undefined,
) => Promise<readonly ListedInstance[]>;

const instances: List = async ({ admin }, pageSize, status) => {
  const listed: ListedInstance[] = [];
  const options = { pageSize, ...(status !== undefined && { status }) };
  for await (const instanceId of admin.instances(options)) listed.push({ instanceId });
  return listed;
};

const queried: List = async ({ admin }, limit, status) => {
  const listed: ListedInstance[] = [];
  const filter = status === undefined ? {} : { status: [status] };
  let continuation: string | undefined;
  do {
    const page = await admin.query({ filter, limit, ...(continuation !== undefined && { continuation }) });
    for (const { instanceId, status: shown, currentExecutionId: executionId } of page.instances)
      listed.push({ instanceId, row: { status: shown, executionId } });
    continuation = page.continuation;
  } while (continuation !== undefined);
  return listed;
};
