/** An operation whose process is killed at a request, before or after it: each time on a container of its own. */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { expect } from "vitest";
import { SEED } from "../../../../test/support/effort.ts";
import type { Place } from "../support/stage.ts";
import type { Snare } from "../support/trap.ts";
import { Children } from "./children.ts";
import type { Operation } from "./operation.ts";
import { perform } from "./perform.ts";

/**
 * Calls `takeOver` after each death, as another process.
 *
 * @param sample Chooses some of the deaths.
 * @param takeOver Checks what the other process does; `where` says how the first one died.
 */
export async function killedAtEach(
  operation: Operation,
  sample: (snares: readonly Snare[]) => readonly Snare[],
  takeOver: (place: Place, where: string) => Promise<void>,
): Promise<void> {
  await using emulator = await CosmosEmulator.start({ port: 0 });
  const { connectionString } = emulator;
  using children = new Children();
  const { requests, failure } = await perform({ connectionString, container: "whole" }, operation, undefined);
  expect(failure).toBeUndefined();
  const snares = requests.flatMap((_, index) =>
    (["before", "after"] as const).map((fate) => ({ nth: index + 1, fate })),
  );
  for (const snare of sample(snares)) {
    const { nth, fate } = snare;
    const place: Place = { connectionString, container: `killed-${nth}-${fate}` };
    const where = `killed ${fate} request ${nth} (${requests[nth - 1]}), seed ${SEED}`;
    const { problems } = await children.kill(place, operation, snare);
    expect(problems, where).toEqual([]);
    await takeOver(place, where);
  }
}
