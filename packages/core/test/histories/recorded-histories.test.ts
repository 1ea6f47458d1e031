/**
 * Runs that were recorded of the Rust runtime, fed to ours turn by turn: once replaying the recorded history in
 * every turn, once with the execution kept in memory.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { OrchestrationAck } from "../../src/contract/provider.ts";
import { errorCategory } from "../../src/wire/error-details.ts";
import type { HistoryEvent } from "../../src/wire/event.ts";
import { type RecordedTurn, recordedTurns } from "../support/recorded-run.ts";
import { runScript } from "../support/run-script.ts";
import type { Answer } from "../support/scripted-provider.ts";
import { normaliseAnswer } from "./normalise.ts";
import { programs, type RecordedProgram } from "./programs.ts";

const recordedNames = readdirSync(join(import.meta.dirname, "../vectors/histories")).map((file) =>
  file.replace(".json", ""),
);

const byClass = (wanted: RecordedProgram["class"]): [string, RecordedProgram][] =>
  Object.entries(programs).filter(([, program]) => program.class === wanted);

async function run(
  name: string,
  live: boolean,
): Promise<{ recorded: RecordedTurn[]; answers: readonly Answer[] }> {
  const { orchestrations, fromTurn = 0 } = programs[name] as RecordedProgram;
  const recorded = recordedTurns(name).slice(fromTurn);
  const answers = await runScript(
    recorded.map(({ fetched }) => fetched),
    { orchestrations, live },
  );
  return { recorded, answers };
}

test("every recorded history is in the table, and what is not reproduced says why", () => {
  expect(Object.keys(programs).sort()).toEqual(recordedNames.sort());
  for (const [name, program] of Object.entries(programs)) {
    if (program.class !== "reproduced") expect(program.why, name).toBeDefined();
  }
});

describe.each([
  ["replaying in every turn", false],
  ["with the execution kept in memory", true],
])("%s", (_mode, live) => {
  test.each(byClass("reproduced"))("%s is reproduced", async (name) => {
    const { recorded, answers } = await run(name, live);
    const expected = recorded.map(({ answer }) => normaliseAnswer(answer as Answer));
    expect(answers.map(normaliseAnswer)).toEqual(expected);
  });

  test.each(byClass("replayed"))("%s replays without nondeterminism", async (name) => {
    const { recorded, answers } = await run(name, live);
    expect(lastStatus(answers)).toEqual(lastStatus(recorded.map(({ answer }) => answer as Answer)));
  });

  test.each(byClass("failure"))("%s fails in the recorded category", async (name) => {
    const { recorded, answers } = await run(name, live);
    expect(failureCategory(answers)).toBe(failureCategory(recorded.map(({ answer }) => answer as Answer)));
  });
});

describe("better than recorded", () => {
  test("unregistered_activity_poison reaches the code that catches it", async () => {
    const { answers } = await run("unregistered_activity_poison", true);
    expect(lastStatus(answers).status).toBe("Completed");
  });

  test("duplicate_activity_failure completes", async () => {
    const { answers } = await run("duplicate_activity_failure", true);
    expect(lastStatus(answers).status).toBe("Completed");
  });

  test("detached_then_continue_as_new sends the detached start", async () => {
    const { recorded, answers } = await run("detached_then_continue_as_new", true);
    const sent = acks(answers).flatMap((ack) => ack.orchestratorItems);
    expect(sent).toContainEqual(expect.objectContaining({ kind: "StartOrchestration", instance: "lost-1" }));
    expect(types(answers)).toEqual(types(recorded.map(({ answer }) => answer as Answer)));
  });

  test("schedule_then_complete sends nothing to the child that never started", async () => {
    const { recorded, answers } = await run("schedule_then_complete", true);
    expect(types(answers)).toEqual(types(recorded.map(({ answer }) => answer as Answer)));
    expect(acks(answers).flatMap((ack) => ack.orchestratorItems)).toEqual([]);
  });

  test.each(["limit_custom_status", "limit_kv_keys"])(
    "%s fails as recorded, storing nothing too large",
    async (name) => {
      const { recorded, answers } = await run(name, true);
      expect(lastStatus(answers)).toEqual(lastStatus(recorded.map(({ answer }) => answer as Answer)));
      expect(types(answers)).not.toContain("CustomStatusUpdated");
      expect(types(answers).filter((type) => type === "KeyValueSet").length).toBeLessThanOrEqual(150);
    },
  );

  test("the tests above are all of this class", () => {
    const tested = [
      "unregistered_activity_poison",
      "duplicate_activity_failure",
      "detached_then_continue_as_new",
      "schedule_then_complete",
      "limit_custom_status",
      "limit_kv_keys",
    ];
    expect(
      byClass("better")
        .map(([name]) => name)
        .sort(),
    ).toEqual(tested.sort());
  });
});

function acks(answers: readonly Answer[]): OrchestrationAck[] {
  return answers.filter((answer) => answer.kind === "ack");
}

function events(answers: readonly Answer[]): HistoryEvent[] {
  return acks(answers).flatMap((ack) => ack.historyDelta);
}

function types(answers: readonly Answer[]): string[] {
  return events(answers).map((event) => event.type);
}

function lastStatus(answers: readonly Answer[]): OrchestrationAck["metadata"] {
  const { status, output } =
    acks(answers).findLast((ack) => ack.metadata.status !== undefined)?.metadata ?? {};
  return { ...(status !== undefined && { status }), output: output ?? null };
}

function failureCategory(answers: readonly Answer[]): string | undefined {
  const failed = events(answers).find((event) => event.type === "OrchestrationFailed");
  return failed?.type === "OrchestrationFailed" ? errorCategory(failed.details) : undefined;
}
