/** `npm run dev -- test:deep` runs 8 processes with 100 keys and 50,000 activities. */
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { describe, it } from "vitest";
import { IS_DEEP } from "../../../test/support/effort.ts";
import { CAN_RUN_SOURCES } from "../../../test/support/limited-fleet.ts";
import { expectKeptLimits } from "../../../test/support/limited-processes.ts";
import { temporaryFolder } from "./support/fixture.ts";

const LOAD = IS_DEEP
  ? {
      processes: 8,
      keys: 100,
      each: 500,
      ofAll: 100,
      callMs: 300,
      lockMs: 10_000,
      slots: 100,
      everyMs: 15_000,
    }
  : { processes: 3, keys: 12, each: 25, ofAll: 25, callMs: 60, lockMs: 1_000, slots: 20, everyMs: 700 };

describe.skipIf(!CAN_RUN_SOURCES)("limits of several processes", () => {
  it("are never exceeded while processes are killed and stand still, and nothing is lost", {
    timeout: 1_200_000,
  }, async () => {
    using folder = temporaryFolder();
    const path = folder.file("test.db");
    await using provider = await SqliteProvider.open(path);
    const load = { ...LOAD, ofKey: 3, mostTroubles: Number.POSITIVE_INFINITY };
    await expectKeptLimits(provider, { name: `sqlite:${path}` }, load);
  });
});
