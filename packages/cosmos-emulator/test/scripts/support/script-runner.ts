/** Runs functions written in a test as stored procedures, in a transaction on a fake collection. */
import { afterAll, beforeAll, expect } from "vitest";
import { CosmosError } from "../../../src/protocol/cosmos-error.ts";
import type { JsonValue } from "../../../src/protocol/json.ts";
import {
  loadScripts,
  type ScriptEngine,
  type ScriptEngineOptions,
  type ScriptLimits,
} from "../../../src/scripts/index.ts";
import { FakeCollection } from "./fake-collection.ts";

/** Generous, so that a slow machine fails no test that is not about limits. */
const LIMITS: ScriptLimits = {
  timeMs: 30_000,
  maxResponseLength: 100_000,
  maxLogLength: 10_000,
  now: () => performance.now(),
};

export interface RunOptions {
  readonly collection?: FakeCollection;
  readonly args?: readonly JsonValue[];
  readonly limits?: Partial<ScriptLimits>;
  readonly enableLogging?: boolean;
}

export interface ScriptRunner {
  /** The parsed response body, and the log. */
  run(source: string, options?: RunOptions): { body: unknown; log: string };
  /** The error of a script that must fail. */
  failureOf(source: string, options?: RunOptions): CosmosError;
}

/** One interpreter for the tests of a file. */
export function scriptRunner(options: ScriptEngineOptions = {}): ScriptRunner {
  let engine: ScriptEngine;
  beforeAll(async () => {
    engine = await loadScripts(options);
  });
  afterAll(() => engine.close());

  const run: ScriptRunner["run"] = (source, options = {}) => {
    const { collection = new FakeCollection(), args = [], limits = {}, enableLogging = true } = options;
    const request = { source, name: "proc", args, enableLogging };
    const result = collection.transaction(() => engine.run(request, collection, { ...LIMITS, ...limits }));
    return { body: JSON.parse(result.body), log: result.log };
  };
  const failureOf: ScriptRunner["failureOf"] = (source, options) => {
    try {
      run(source, options);
    } catch (error) {
      if (error instanceof CosmosError) return error;
      throw error;
    }
    return expect.fail("The script did not fail.");
  };
  return { run, failureOf };
}

/** What a failed script says in the body of the answer. */
export function errorText(error: CosmosError): string {
  const [text] = (JSON.parse(error.message) as { Errors: string[] }).Errors;
  return text ?? "";
}
