/** Dead letters, page by page. */
import type { Admin, DeadLetter } from "@duroxide-ts/core";
import { upTo } from "./up-to.ts";

export function readDeadLetters(admin: Admin, most: number): Promise<readonly DeadLetter[]> {
  return upTo(most, async (request) => {
    const { deadLetters, continuation } = await admin.deadLetters(request);
    return { rows: deadLetters, continuation };
  });
}

/** The letter with this id; `undefined` if there is none. */
export async function findDeadLetter(admin: Admin, id: string): Promise<DeadLetter | undefined> {
  return (await readDeadLetters(admin, Number.MAX_SAFE_INTEGER)).find((letter) => letter.id === id);
}
