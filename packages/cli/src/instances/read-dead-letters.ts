/** Dead letters, page by page. */
import type { Admin, DeadLetter } from "@duroxide-ts/core";

export async function readDeadLetters(admin: Admin, most: number): Promise<readonly DeadLetter[]> {
  const letters: DeadLetter[] = [];
  let continuation: string | undefined;
  do {
    const page = await admin.deadLetters({
      limit: Math.min(1_000, most - letters.length),
      ...(continuation !== undefined && { continuation }),
    });
    letters.push(...page.deadLetters);
    continuation = page.continuation;
  } while (continuation !== undefined && letters.length < most);
  return letters;
}

/** The letter with this id; `undefined` if there is none. */
export async function findDeadLetter(admin: Admin, id: string): Promise<DeadLetter | undefined> {
  return (await readDeadLetters(admin, Number.MAX_SAFE_INTEGER)).find((letter) => letter.id === id);
}
