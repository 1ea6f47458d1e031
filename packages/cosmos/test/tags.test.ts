/** Tags in the instance document: what pages and writes by tag cost, and what is shown of a commit in pieces. */
import type { Tags } from "@duroxide-ts/core/stores";
import { createInstance } from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { fromTagTexts, toTagTexts } from "../src/documents/tags.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("tags");

/** Request units of what `act` sends. */
async function unitsOf(act: () => Promise<unknown>): Promise<number> {
  const before = stage.provider.requestUnits ?? 0;
  await act();
  return (stage.provider.requestUnits ?? 0) - before;
}

async function create(count: number, tagsOf: (n: number) => Tags, prefix: string): Promise<void> {
  for (let n = 0; n < count; n++)
    await createInstance(stage, `${prefix}${n}`, { metadata: { tags: tagsOf(n) } });
}

describe("the text of a tag", () => {
  it("stands for that tag only, and can be read", () => {
    const all: Tags = {
      tenant: "b=c",
      "tenant=b": "c",
      "a\\": "=",
      n: 2,
      s: "2",
      t: true,
      w: "true",
      "\n": "\n=",
    };
    const texts = toTagTexts(all) ?? [];
    expect(new Set(texts).size).toBe(8);
    expect(texts).toContain('tenant="b=c"');
    expect(texts).toContain('tenant\\=b="c"');
    expect(fromTagTexts(texts)).toEqual(all);
    expect(fromTagTexts(["no tag", "a=", "a=[1]", 5, 'b="x"'])).toEqual({ b: "x" });
    expect(fromTagTexts("tenant")).toBeUndefined();
  });
});

it("a page by tag costs the same in a larger container", async () => {
  const { admin } = stage.provider;
  const page = async (): Promise<number> =>
    (await admin.queryInstances({ filter: { tags: { tenant: "acme" } }, limit: 20 })).cost?.requestUnits ?? 0;
  await create(40, () => ({ tenant: "acme" }), "a");
  // The first query also reads the list of partitions.
  await page();
  const small = await page();
  await create(200, (n) => ({ tenant: `t${n}` }), "b");
  expect(await page()).toBeCloseTo(small, 0);
  process.stdout.write(`page of 20 by tag: ${small.toFixed(2)} RU\n`);
});

it("an instance without tags has no field of them, and a turn of one with tags costs little more", async () => {
  const first = (id: string, tags?: Tags): Promise<number> =>
    unitsOf(() => createInstance(stage, id, tags === undefined ? {} : { metadata: { tags } }));
  await first("warm");
  const plain = await first("plain");
  expect(await first("empty", {})).toBeCloseTo(plain, 1);
  const two = await first("two", { a: "x", b: 2 });
  expect(two).toBeGreaterThan(plain);
  expect(two - plain).toBeLessThan(1);
  process.stdout.write(
    `a start and first turn: ${plain.toFixed(2)} RU, with two tags ${two.toFixed(2)} RU\n`,
  );
  const { resource } = await stage.raw.item("plain:instance", "plain").read<{ duroxideTs: object }>();
  expect(resource?.duroxideTs).not.toHaveProperty("tags");
});
