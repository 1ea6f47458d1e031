/**
 * Checks the answer to a batch of three operations of which one is refused, for the probes about preconditions and
 * conflicts.
 */
import {
  expectEqual,
  expectStatus,
  type Fields,
  type Items,
  type Reply,
} from "@duroxide-ts/cosmos-emulator/conformance";
import type { Stage } from "../stage.ts";

export const POSITIONS = [0, 1, 2] as const;

const FAILED_DEPENDENCY = 424;

/** The failed operation stands in one place of three; the others are creates. */
export function withFailedOperation(
  pk: string,
  failedOperation: Fields,
  position: number,
): readonly Fields[] {
  const operations: Fields[] = ["x", "y"].map((id) => ({
    operationType: "Create",
    resourceBody: { id, instanceId: pk },
  }));
  operations.splice(position, 0, failedOperation);
  return operations;
}

/** Throws unless the batch is refused for its failed operation and nothing of it is stored. */
export async function expectRefused(
  stage: Stage,
  failedOperation: Fields,
  status: number,
  existing: readonly Fields[],
): Promise<void> {
  for (const position of POSITIONS) {
    const { items, pk } = await stage.partitionWith("refused", ...existing);
    const before = await contentOf(items, pk);
    const operations = withFailedOperation(pk, inPartition(failedOperation, pk), position);
    const reply = await items.batch([pk], operations);
    expectStatus(reply, 207);
    const expected = POSITIONS.map((at) => (at === position ? status : FAILED_DEPENDENCY));
    expectEqual(statusesOf(reply), expected, `the statuses with the failed operation at ${position}`);
    expectEqual(await contentOf(items, pk), before, "what is stored");
  }
}

export const statusesOf = (reply: Reply): unknown[] => reply.objects.map((entry) => entry["statusCode"]);

/** The ids with their etags. */
async function contentOf(items: Items, pk: string): Promise<unknown> {
  const reply = expectStatus(await items.query("SELECT c.id, c._etag FROM c", { key: [pk] }), 200);
  return reply.objects.map(({ id, _etag }) => `${String(id)} ${String(_etag)}`).sort();
}

function inPartition(operation: Fields, pk: string): Fields {
  const body = operation["resourceBody"];
  const isDocument = typeof body === "object" && body !== null && "id" in body;
  return isDocument ? { ...operation, resourceBody: { ...body, instanceId: pk } } : operation;
}
