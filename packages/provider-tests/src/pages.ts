/** Follows a list from page to page. */

/** More than any case has items. A list that never ends fails its case, which would otherwise run for ever. */
const MOST_PAGES = 1_000;

/** Fields that a request for the next page adds to that for the first. */
export interface From {
  readonly continuation?: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly continuation?: string | undefined;
}

/** The items of all pages, in their order. `read` gets an empty object for the first page. */
export async function allPages<Item>(read: (from: From) => Promise<Page<Item>>): Promise<readonly Item[]> {
  const all: Item[] = [];
  let from: From = {};
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { items, continuation } = await read(from);
    all.push(...items);
    if (continuation === undefined) return all;
    from = { continuation };
  }
  throw new Error(`the list has not ended after ${MOST_PAGES} pages with ${all.length} items`);
}
