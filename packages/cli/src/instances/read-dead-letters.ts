/** Dead letters, page by page. */
import type { DeadLetter } from "@duroxide-ts/core";
import type { AnyAdmin } from "@duroxide-ts/core/client";
import { upTo } from "./up-to.ts";

export function readDeadLetters(admin: AnyAdmin, most: number): Promise<readonly DeadLetter[]> {
  return upTo(most, async (request) => {
    const { deadLetters, continuation } = await admin.deadLetters(request);
    return { rows: deadLetters, continuation };
  });
}

/** The letter with this id; `undefined` if there is none. */
export async function findDeadLetter(admin: AnyAdmin, id: string): Promise<DeadLetter | undefined> {
  return (await readDeadLetters(admin, Number.MAX_SAFE_INTEGER)).find((letter) => letter.id === id);
}
