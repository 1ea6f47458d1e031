/** A turn whose instance another process has committed first: nothing is lost, and nobody is alarmed. */
import { expect, it } from "vitest";
import { RecordingLogger } from "../../../../test/support/recording-logger.ts";
import { ProviderError } from "../../src/contract/provider-error.ts";
import { Client, orchestration, Runtime } from "../../src/index.ts";
import { MemoryProvider } from "../../src/testing/index.ts";

/** Refuses the first commit of a turn, as a store does where another process was faster. */
class OutrunOnce extends MemoryProvider {
  #refused = false;

  override async ackOrchestrationItem(...args: Parameters<MemoryProvider["ackOrchestrationItem"]>) {
    if (this.#refused) return super.ackOrchestrationItem(...args);
    this.#refused = true;
    await this.abandonOrchestrationItem(args[0].lockToken);
    throw ProviderError.lockLost("ackOrchestrationItem");
  }
}

it("is repeated, and logged at debug", async () => {
  const provider = new OutrunOnce();
  const logger = new RecordingLogger();
  const hello = orchestration("hello", async (_ctx, name: string) => `hello ${name}`);
  const runtime = await Runtime.start({ provider, orchestrations: [hello], logger });
  const handle = await new Client(provider).start(hello, { instanceId: "a", input: "you" });
  expect(await handle.result()).toBe("hello you");
  await runtime.shutdown();
  expect(logger.of("turn_not_committed").map(({ level }) => level)).toEqual(["debug"]);
});
