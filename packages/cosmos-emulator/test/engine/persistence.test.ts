/** State in a file: it survives a restart, and a kill in the middle of writes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Engine } from "../../src/engine/index.ts";
import {
  create,
  DEFAULTS,
  dump,
  openEngine,
  read,
  refusalOf,
  temporaryFolder,
  upsert,
} from "./support/fixture.ts";
import { unfinishedPages } from "./support/write-ahead-log.ts";

const DOOMED_WRITER = new URL("./support/doomed-writer.ts", import.meta.url);

describe("a file", () => {
  it("keeps databases, containers, items, scripts, offers and positions", () => {
    using folder = temporaryFolder();
    const path = folder.file("deep/store.db");
    const contentOf = (fixture: ReturnType<typeof openEngine>) => ({
      databases: fixture.engine.listDatabases(),
      containers: fixture.engine.listContainers("db"),
      offers: fixture.engine.listOffers(),
      scripts: fixture.container.storedProcedures.list(),
      ranges: fixture.container.partitionKeyRanges(),
      items: dump(fixture.container),
    });
    const before = (() => {
      using fixture = openEngine({ defaultTtl: -1 }, { path, physicalPartitions: 3 });
      for (const pk of ["a", "b", "c"]) fixture.container.execute([pk], create({ id: "1", pk }));
      fixture.container.storedProcedures.create({ id: "s", body: "function () {}" });
      return contentOf(fixture);
    })();
    using fixture = openEngine({}, { path, physicalPartitions: 1 });
    expect(contentOf(fixture)).toEqual(before);
  });

  it("never gives a rid, an etag or a position twice, although items were deleted before the restart", () => {
    using folder = temporaryFolder();
    const path = folder.file("store.db");
    const written = [1, 2, 3].map(() => {
      using fixture = openEngine({}, { path });
      const { body = "{}", lsn } = fixture.container.execute(["a"], create({ id: "1", pk: "a" }));
      fixture.container.execute(["a"], { kind: "delete", id: "1" });
      return { ...JSON.parse(body), lsn };
    });
    for (const name of ["_rid", "_etag", "lsn"]) {
      expect(new Set(written.map((item) => item[name])).size).toBe(3);
    }
  });

  it("keeps indexes that queries made", () => {
    using folder = temporaryFolder();
    const path = folder.file("store.db");
    const query = "SELECT VALUE COUNT(1) FROM c WHERE c.n = 7";
    const fill = (): void => {
      using fixture = openEngine({}, { path });
      for (let n = 0; n < 300; n++) fixture.container.execute(["a"], create({ id: String(n), pk: "a", n }));
      expect(fixture.container.query({ query }).rows).toEqual(["1"]);
    };
    fill();
    using fixture = openEngine({}, { path });
    fixture.container.execute(["a"], upsert({ id: "8", pk: "a", n: 7 }));
    expect(fixture.container.query({ query }).rows).toEqual(["2"]);
  });

  it("belongs to one engine at a time", () => {
    using folder = temporaryFolder();
    const path = folder.file("store.db");
    using _first = openEngine({}, { path });
    expect(() => Engine.open({ ...DEFAULTS, path })).toThrow(/another process has it open/);
  });

  it("of something else is refused, untouched", () => {
    using folder = temporaryFolder();
    const open = (path: string) => () => Engine.open({ ...DEFAULTS, path });
    writeFileSync(
      folder.file("text.db"),
      "this is no database, but a text of some length that SQLite can look at",
    );
    expect(open(folder.file("text.db"))).toThrow(/Cannot open the store .*text\.db/);
    const other = new DatabaseSync(folder.file("other.db"));
    other.exec("CREATE TABLE t (a); PRAGMA user_version = 1");
    other.close();
    expect(open(folder.file("other.db"))).toThrow(/another application/);
    openEngine({}, { path: folder.file("newer.db") }).engine.close();
    const newer = new DatabaseSync(folder.file("newer.db"));
    newer.exec("PRAGMA user_version = 99");
    newer.close();
    expect(open(folder.file("newer.db"))).toThrow(/another version/);
  });
});

describe("stores in memory", () => {
  it("know nothing of each other, and give out other rids", () => {
    using first = openEngine({}, { random: () => 0.1 });
    using second = openEngine({}, { random: () => 0.2 });
    first.container.execute(["a"], create({ id: "1", pk: "a" }));
    expect(refusalOf(() => read(second.container, ["a"], "1")).status).toBe(404);
    expect(first.container.rid).not.toBe(second.container.rid);
  });
});

describe("a process that is killed in the middle of batches", () => {
  it.each(["11", "20"])(
    "leaves nothing of the batch that it is in, although half of it is on the disk: killed at item %s of 20",
    async (fatalId) => {
      using folder = temporaryFolder();
      const path = folder.file("store.db");
      const acknowledged = await writeUntilKilled(DOOMED_WRITER, [path, fatalId]);
      expect(acknowledged).toEqual(["0", "1", "2", "3", "4"]);
      expect(unfinishedPages(path)).toBeGreaterThan(0);
      using fixture = openEngine({}, { path });
      const numbers = dump(fixture.container).map((row) => JSON.parse(row).number);
      expect(numbers).toEqual(Array.from({ length: 20 }, () => 4));
      expect(fixture.container.execute(["p"], create({ id: "next", pk: "p" })).lsn).toBe(7);
    },
  );
});

/** Runs a writer until it is gone, by itself or killed after so many lines; returns what it had acknowledged. */
async function writeUntilKilled(
  writer: URL,
  args: readonly string[],
  afterLines: number = Number.POSITIVE_INFINITY,
): Promise<readonly string[]> {
  const child = spawn(process.execPath, ["--no-warnings", fileURLToPath(writer), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const acknowledged: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    acknowledged.push(line);
    if (acknowledged.length === afterLines) child.kill("SIGKILL");
  }
  expect(await exited).toEqual([null, "SIGKILL"]);
  return acknowledged;
}
