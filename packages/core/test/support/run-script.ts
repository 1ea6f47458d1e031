/** Runs prepared fetches through a whole runtime, without workers, in virtual time. */
import type { FetchedOrchestration } from "../../src/contract/provider.ts";
import type { Logger } from "../../src/define/logger.ts";
import type { AnyOrchestration } from "../../src/define/orchestration-context.ts";
import { rustTypedCodec } from "../../src/payload/rust-typed-codec.ts";
import type { RuntimeOptions } from "../../src/runtime/options/runtime-options.ts";
import { Runtime } from "../../src/runtime/runtime.ts";
import { VirtualClock } from "../../src/testing/index.ts";
import { type Answer, ScriptedProvider } from "./scripted-provider.ts";

export interface ScriptRun {
  readonly orchestrations: readonly AnyOrchestration[];
  readonly live?: boolean;
  readonly options?: Partial<RuntimeOptions>;
  readonly logger?: Logger;
}

export async function runScript(
  script: readonly FetchedOrchestration[],
  { orchestrations, live = false, options = {} }: ScriptRun,
): Promise<readonly Answer[]> {
  const provider = ScriptedProvider.create(script, { live });
  await using _runtime = await Runtime.start({
    provider,
    orchestrations,
    codec: rustTypedCodec,
    clock: new VirtualClock(),
    orchestrationConcurrency: 1,
    workerTagFilter: { kind: "none" },
    maxAttempts: 3,
    // The rules of the Rust runtime, because the scripts are compared with its recorded results.
    onNondeterminism: "fail",
    onMissingHandler: "fail",
    ...options,
  });
  await provider.finished;
  return provider.answers;
}
