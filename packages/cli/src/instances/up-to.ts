/** The first rows of a list that a store answers in pages. */

/** The most that a store answers at once. */
const PAGE = 1_000;

export interface PageRequest {
  readonly limit: number;
  readonly continuation?: string;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly continuation?: string | undefined;
}

/** Asks for pages until there are `most` rows, or no more. */
export async function upTo<Row>(
  most: number,
  read: (request: PageRequest) => Promise<Page<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let continuation: string | undefined;
  do {
    const limit = Math.min(PAGE, most - rows.length);
    const page = await read({ limit, ...(continuation !== undefined && { continuation }) });
    rows.push(...page.rows);
    continuation = page.continuation;
  } while (continuation !== undefined && rows.length < most);
  return rows;
}
