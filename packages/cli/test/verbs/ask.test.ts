/** `duroxide ask`. */
import { Client, orchestration, Runtime, silentLogger } from "@duroxide-ts/core";
import { describe, expect, it } from "vitest";
import { IDS, onEachStore } from "../support/desk.ts";

const till = orchestration("till", async (ctx) => {
  ctx.answer<{ currency: string }, { sum: number; in: string }, { currency: string }>(
    "total",
    ({ currency }) => {
      if (currency === "") throw new Error("which currency?");
      return { sum: 7, in: currency };
    },
  );
  await ctx.waitForEvent("closed");
});

describe("ask", () => {
  onEachStore((desk) => {
    it("prints the answer, and exits with a code for each reason that there is none", async () => {
      const { provider } = desk();
      await using _runtime = await Runtime.start({ provider, orchestrations: [till], logger: silentLogger });
      await new Client(provider).start(till, { instanceId: "till-1" });
      const ask = (id: string, ...more: readonly string[]) => desk().cli(["ask", id, "total", ...more]);

      const asked = await ask("till-1", "--input", '{"currency":"EUR"}', "-o", "json");
      expect(asked).toMatchObject({ code: 0 });
      expect(JSON.parse(asked.stdout)).toEqual({
        instanceId: "till-1",
        question: "total",
        answer: { sum: 7, in: "EUR" },
      });
      const refused = await ask("till-1", "--input", '{"currency":""}');
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(refused.stderr).toContain("which currency?");
      expect((await ask("unknown")).code).toBe(4);
      expect((await ask(IDS.completed)).code).toBe(1);
    });
  });
});
