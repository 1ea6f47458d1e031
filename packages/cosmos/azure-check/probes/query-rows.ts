/** Probe 11: every query of the provider, with the rows that our endpoint gives for the same documents. */
import { expect, expectEqual, type Fields, type Items } from "@duroxide-ts/cosmos-emulator/conformance";
import { ask, comparable, isInOrder, variantsOf } from "../queries/ask.ts";
import type { AskedQuery } from "../queries/capture.ts";
import { collectQueries } from "../queries/collect.ts";
import { openReference } from "../queries/reference.ts";
import { asWritten, seed } from "../queries/seed.ts";
import { step } from "../step.ts";

export const QUERY_ROWS = step({
  id: "2.11",
  phase: 2,
  title: "The rows of every query of the provider",
  gates: {
    "queries-seeded": "all documents that are written are found by a query over everything",
    "queries-served": "every query is 200, also with unused and null parameters and lists of 256",
    "queries-rows": "every query gives the rows that our endpoint gives for the same documents, in its order",
  },
  estimateRu: () => 6_000,
  async run(stage, notes) {
    const { queries, documents } = await stage.once("queries", collectQueries);
    notes.record("queries", queries.length);
    const items = await stage.items;
    await seed(items, documents);
    let stored: readonly Fields[] = [];
    await notes.gate("queries-seeded", async () => {
      stored = await everyDocument(items);
      const found = new Set(stored.map(nameOf));
      const missing = documents.map(nameOf).filter((name) => !found.has(name));
      expectEqual(missing, [], "documents that are not found");
    });
    await using reference = await openReference(stored);
    const variants = queries.flatMap(variantsOf);
    notes.record("variants", variants.length);
    const differences: string[] = [];
    await notes.gate("queries-served", async () => {
      for (const query of variants) differences.push(...(await differencesOf(query, items, reference.items)));
    });
    await notes.gate("queries-rows", () => expectEqual(differences, [], "queries that differ"));
  },
});

/**
 * Reads the provider's documents, which have a type; those that other probes left have none, and no query finds them.
 */
async function everyDocument(items: Items): Promise<readonly Fields[]> {
  const pages = await items.pages("SELECT * FROM c WHERE IS_DEFINED(c.type)");
  return pages.flatMap(({ objects }) => objects).map(asWritten);
}

async function differencesOf(query: AskedQuery, account: Items, endpoint: Items): Promise<readonly string[]> {
  const text = query.text.replaceAll(/\s+/g, " ");
  const answers = await ask(account, query);
  const { refused } = answers;
  expect(
    refused === undefined,
    `${refused?.status}/${refused?.substatus} for ${text}: ${refused?.text.slice(0, 300)}`,
  );
  if (!isInOrder(query, answers)) return [`not in order: ${text}`];
  const [here, there] = [comparable(query, answers), comparable(query, await ask(endpoint, query))];
  if (JSON.stringify(here) === JSON.stringify(there)) return [];
  return [`${here.length} rows instead of ${there.length}, or others: ${text}`];
}

function nameOf({ instanceId, id }: Fields): string {
  return JSON.stringify([instanceId, id]);
}
