/** A recording of the rehearsal: it is answered the same again, and one that was changed is not. */
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { beforeAll, describe, expect, it } from "vitest";
import type {
  RecordedExchange,
  Recording,
} from "../../../cosmos-emulator/conformance/recordings/recording.ts";
import { type Difference, replay } from "../../../cosmos-emulator/conformance/recordings/replay.ts";
import { openPlace } from "../../azure-check/place.ts";
import { runCheck } from "../../azure-check/run.ts";
import { QUICK } from "../../azure-check/scale.ts";
import { STEPS } from "../../azure-check/steps.ts";

const PHYSICAL_PARTITIONS = 2;

let recording: Recording;
let key: string;

beforeAll(async () => {
  await using place = await openPlace({
    kind: "rehearsal",
    withIdentity: false,
    physicalPartitions: PHYSICAL_PARTITIONS,
  });
  key = place.key ?? "";
  const steps = STEPS.filter(({ isRecorded }) => isRecorded === true);
  await runCheck({
    place,
    steps,
    scale: QUICK,
    onRecording: (made) => {
      // As it is read from a file.
      recording = JSON.parse(JSON.stringify(made)) as Recording;
    },
  });
});

async function replayed(changed: Recording): Promise<readonly Difference[]> {
  const physicalPartitions = changed.physicalPartitions;
  await using emulator = await CosmosEmulator.start({ port: 0, explorer: false, physicalPartitions });
  return await replay(changed, emulator.endpoint, emulator.key);
}

/** The first exchange of that kind, changed. */
function withChange(
  match: (exchange: RecordedExchange) => boolean,
  change: (answer: RecordedExchange["answer"]) => Partial<RecordedExchange["answer"]>,
): Recording {
  const at = recording.exchanges.findIndex(match);
  expect(at, "there is no such exchange").toBeGreaterThanOrEqual(0);
  const exchanges = recording.exchanges.map((each, n) =>
    n === at ? { ...each, answer: { ...each.answer, ...change(each.answer) } } : each,
  );
  return { ...recording, exchanges };
}

const isBatch = ({ step, answer }: RecordedExchange): boolean =>
  step === "2.1" && answer.headers["x-ms-item-count"] === "5";

describe("a recording of the rehearsal", () => {
  it("is answered as it was", async () => {
    expect(recording.exchanges.length).toBeGreaterThan(50);
    expect(await replayed(recording)).toEqual([]);
  });

  it("has neither keys nor tokens, dates or activity ids", () => {
    const text = JSON.stringify(recording);
    expect(text).not.toContain(key);
    expect(text).not.toMatch(/authorization|type%3Dmaster|sig=|duroxide-check-/i);
    expect(text).not.toMatch(/(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4}/);
    const ids = recording.exchanges.map(({ answer }) => answer.headers["x-ms-activity-id"]);
    expect(new Set(ids)).toEqual(new Set([""]));
  });

  it.each([
    ["another status", () => withChange(isBatch, () => ({ status: 207 }))],
    [
      "another sub-status",
      () =>
        withChange(
          ({ answer }) => answer.substatus === 1002,
          () => ({ substatus: 1007 }),
        ),
    ],
    [
      "one header less",
      () => withChange(isBatch, ({ headers: { "x-ms-session-token": _, ...headers } }) => ({ headers })),
    ],
    [
      "the status of another operation",
      () =>
        withChange(isBatch, ({ body }) => ({
          body: (body as object[]).map((entry, n) => (n === 1 ? { ...entry, statusCode: 200 } : entry)),
        })),
    ],
    ["one entry less", () => withChange(isBatch, ({ body }) => ({ body: (body as object[]).slice(1) }))],
    [
      "another kind of value",
      () =>
        withChange(isBatch, ({ body }) => ({
          body: (body as object[]).map((entry) => ({ ...entry, requestCharge: "1" })),
        })),
    ],
  ])("with %s is not answered so", async (_, changed) => {
    const differences = await replayed(changed());
    expect(differences.length).toBeGreaterThan(0);
  });
});
