/** The log about executions that another version began. */
import { expect, test } from "vitest";
import type { FetchedOrchestration } from "../../src/contract/provider.ts";
import { orchestration } from "../../src/define/definitions.ts";
import type { LogFields, Logger } from "../../src/define/logger.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";

function fetched(duroxideVersion: string): FetchedOrchestration {
  const started = {
    event_id: 1,
    source_event_id: null,
    instance_id: "i",
    execution_id: 1,
    timestamp_ms: 0,
    duroxide_version: duroxideVersion,
    type: "OrchestrationStarted",
    name: "waits",
    version: "1.0.0",
    input: "null",
    parent_instance: null,
    parent_id: null,
  } as const;
  const item = {
    instanceId: "i",
    orchestrationName: "waits",
    version: "1.0.0",
    executionId: 1,
    history: [started],
    messages: [{ kind: "CancelInstance", instance: "i", reason: "" }],
    kvSnapshot: new Map(),
  } as const;
  return { item, lockToken: "t", attemptCount: 1 };
}

const waits = orchestration("waits", (ctx) => ctx.waitForEvent("never"));

async function warnings(duroxideVersion: string): Promise<readonly LogFields[]> {
  const seen: LogFields[] = [];
  const ignore = (): void => {};
  const logger: Logger = {
    debug: ignore,
    info: ignore,
    warn: (fields) => void seen.push(fields),
    error: ignore,
  };
  const provider = ScriptedProvider.create([fetched(duroxideVersion)], { live: false });
  await using _runtime = await Runtime.start({
    provider,
    orchestrations: [waits],
    workerTagFilter: { kind: "none" },
    logger,
  });
  await provider.finished;
  return seen.filter(({ event }) => event !== "orchestration_failed" && event !== "fetch_failed");
}

test("a supported version is no news", async () => {
  expect(await warnings("0.1.31")).toEqual([]);
});

test("a version outside the range is a warning, and the batch is given back", async () => {
  expect(await warnings("9.0.0")).toEqual([
    { event: "orchestration_incompatible", instance_id: "i", duroxide_version: "9.0.0", attempts: 1 },
  ]);
});

test("a stamp that is no version is a warning, and the turn runs", async () => {
  expect(await warnings("newest")).toEqual([
    { event: "version_stamp_invalid", instance_id: "i", duroxide_version: "newest" },
  ]);
});
