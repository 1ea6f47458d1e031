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
  now: () => performance.now(),
};

export interface RunOptions {
  readonly collection?: FakeCollection;
  readonly args?: readonly JsonValue[];
  readonly limits?: Partial<ScriptLimits>;
}

export interface ScriptRunner {
  /** Runs a stored procedure and returns its parsed response. */
  run(source: string, options?: RunOptions): unknown;
  /** Runs a stored procedure that must fail, and returns its error. */
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
    const { collection = new FakeCollection(), args = [], limits = {} } = options;
    const request = { source, name: "proc", args };
    return JSON.parse(
      collection.transaction(() => engine.run(request, collection, { ...LIMITS, ...limits })),
    );
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

/** Makes a stored procedure of statements that use `c`, the collection, and `answer`, which sets the response. */
export function procedure(statements: string, head = "function (...args)"): string {
  return `${head} {
    const c = getContext().getCollection();
    const answer = (value) => getContext().getResponse().setBody(value);
    const query = (...rest) => c.queryDocuments(c.getSelfLink(), "SELECT * FROM c", ...rest);
    const patch = (id, ...rest) =>
      c.patchDocument(c.getAltLink() + "/docs/" + id, [{ op: "set", path: "/n", value: 2 }], ...rest);
    ${statements}
  }`;
}

/** Reads the text of the error of a failed script. */
export function errorText(error: CosmosError): string {
  const [text] = (JSON.parse(error.message) as { Errors: string[] }).Errors;
  return text ?? "";
}
