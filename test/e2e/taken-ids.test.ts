/** A start whose id is taken: by an instance of the same orchestration, or of another one. */
import { AlreadyExistsError, Client, orchestration, queue } from "@duroxide-ts/core";
import { describe, expect } from "vitest";
import { Faults, fault } from "../support/faulty-provider.ts";
import { onEveryStore } from "../support/scenario.ts";

const lines = queue<string>("lines");
const order = orchestration("order", async (ctx) => ctx.dequeue(lines));
const file = orchestration("file", async () => "filed");
const message = { enqueue: [{ queue: lines, message: "A-1" }] } as const;

async function refusal(start: Promise<unknown>): Promise<AlreadyExistsError> {
  const error = await start.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!AlreadyExistsError.is(error)) throw new Error("the start did not fail with an AlreadyExistsError");
  return error;
}

describe("a start under a taken id", () => {
  onEveryStore("of another orchestration rejects with both names, and changes nothing", async (start) => {
    const env = await start({ orchestrations: [order, file] });
    const { client } = env;
    const first = await client.start(order, { instanceId: "i" });
    await env.settle();

    const refused = await refusal(client.start(file, { instanceId: "i" }));
    expect(refused).toMatchObject({ instanceId: "i", status: "Running", orchestration: "order" });
    expect(refused.message).toMatch(/"order".*"file"/);
    await refusal(client.start("file", { instanceId: "i", ...message }));
    await first.enqueue(lines, "B-2");

    expect(await env.finish(first)).toBe("B-2");
    expect((await refusal(client.start(file, { instanceId: "i" }))).status).toBe("Completed");
    const again = await client.start(file, { instanceId: "i", ifExists: "restart" });
    expect(await env.finish(again)).toBe("filed");
  });

  onEveryStore(
    "of the same orchestration returns a handle that says that it is not created",
    async (start) => {
      const env = await start({ orchestrations: [order] });
      const { client } = env;
      const first = await client.start(order, { instanceId: "i" });
      await env.settle();
      const second = await client.start(order, { instanceId: "i" });
      const third = await client.start(order, { instanceId: "i", ...message });

      expect([first.created, second.created, third.created]).toEqual([true, false, false]);
      expect(client.handle(order, "i").created).toBe(false);
      expect(await env.finish(first)).toBe("A-1");
      expect((await client.start(order, { instanceId: "i" })).created).toBe(false);
      expect((await client.start(order, { instanceId: "i", ifExists: "restart", ...message })).created).toBe(
        true,
      );
    },
  );

  onEveryStore(
    "that requires a free id and is repeated after a lost answer was the one that created it",
    async (start) => {
      const env = await start({ orchestrations: [order] });
      const { provider, clock } = env;
      const faults = new Faults();
      faults.on("startInstance", async (_call, args) => {
        await (provider.startInstance.bind(provider) as (...given: readonly unknown[]) => Promise<unknown>)(
          ...args,
        );
        faults.off("startInstance");
        throw fault("startInstance", "unavailable");
      });
      const client = new Client(faults.wrap(provider), { clock });
      const options = { instanceId: "i", ifExists: "fail", messageId: "one", ...message } as const;
      await expect(client.start(order, options)).rejects.toMatchObject({ messageId: "one" });
      expect((await client.start(order, options)).created).toBe(true);
    },
  );
});
