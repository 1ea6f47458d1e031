/** The change feed (docs/reference/cosmos-protocol.md §1.10). */
import { describe, expect } from "vitest";
import type { ChangeFeedPage } from "../../src/engine/index.ts";
import { create, onEngine, refusalOf } from "./support/fixture.ts";

const ids = (page: ChangeFeedPage): unknown[] => page.rows.map((row) => JSON.parse(row).id);

describe("the change feed", () => {
  onEngine("moves its position past deletes, so that readers do not look at them again", ({ container }) => {
    container.execute(["a"], create({ id: "1", pk: "a" }));
    const { etag } = container.changeFeed({});
    container.execute(["a"], { kind: "delete", id: "1" });
    const page = container.changeFeed({ ifNoneMatch: etag });
    expect(page).toMatchObject({ rows: [], etag: `"${container.lsnOf("0")}"` });
  });

  onEngine("never tears a batch apart", ({ container }) => {
    container.execute(["a"], create({ id: "0", pk: "a" }));
    const batch = ["1", "2", "3"].map((id) => create({ id, pk: "a" }));
    container.batch(["a"], batch, "atomic");
    container.execute(["a"], create({ id: "4", pk: "a" }));
    const first = container.changeFeed({ maxItems: 2 });
    expect(ids(first)).toEqual(["0", "1", "2", "3"]);
    expect(ids(container.changeFeed({ maxItems: 2, ifNoneMatch: first.etag }))).toEqual(["4"]);
  });

  onEngine("refuses a position that it did not give out", (fixture) => {
    for (const ifNoneMatch of ["x", `"-1"`, ""]) {
      expect(refusalOf(() => fixture.container.changeFeed({ ifNoneMatch })).status).toBe(400);
    }
  });

  onEngine("keeps pages below 4 MB", ({ container }) => {
    for (const id of ["1", "2", "3"]) {
      container.execute(["a"], create({ id, pk: "a", text: "x".repeat(1_900_000) }));
    }
    const first = container.changeFeed({});
    expect(ids(first)).toEqual(["1", "2"]);
    expect(ids(container.changeFeed({ ifNoneMatch: first.etag }))).toEqual(["3"]);
  });
});
