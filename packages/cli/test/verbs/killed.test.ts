/** A change of many instances whose process is killed: the same command goes on. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { createInstance } from "@duroxide-ts/provider-tests/building-blocks";
import { beforeAll, describe, expect, it } from "vitest";
import { IS_DEEP } from "../../../../test/support/effort.ts";
import { onEachStore } from "../support/desk.ts";
import type { Run } from "../support/run-process.ts";

/** Enough for several pages of output before the kill. */
const COUNT = IS_DEEP ? 300 : 90;
const WORDS = ["cancel", "--status", "running", "--reason", "sold out", "--yes", "-o", "jsonl"];

interface Line {
  readonly instanceId: string;
  readonly result: string;
}

const linesOf = ({ stdout }: Run): readonly Line[] =>
  stdout
    .slice(0, stdout.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);

describe("cancel for many instances, killed in the middle", () => {
  onEachStore(
    (desk) => {
      beforeAll(async () => {
        const { provider } = desk();
        const ids = Array.from({ length: COUNT }, (_, n) => `order-${n}`);
        for (const id of ids) await createInstance({ provider, lockMs: 30_000 }, id);
      });

      /** Killed when it has said that a third is done. */
      const killedRun = (words: readonly string[]): Promise<Run> =>
        desk().process(words, {
          freezeAfterLines: COUNT / 2,
          onOutput: (stdout, _interrupt, kill) => {
            if (stdout.split("\n").length > COUNT / 3) kill();
          },
        });

      /** How many cancellations wait, by instance. */
      async function asked(): Promise<ReadonlyMap<string, number>> {
        const counts = new Map<string, number>();
        let continuation: string | undefined;
        do {
          const page = await desk().client.admin.work({
            kind: "orchestrator",
            limit: 1_000,
            ...(continuation !== undefined && { continuation }),
          });
          for (const { instanceId, item } of page.work)
            if (item === "CancelInstance") counts.set(instanceId, (counts.get(instanceId) ?? 0) + 1);
          continuation = page.continuation;
        } while (continuation !== undefined);
        return counts;
      }

      // journal.J1
      it("is gone on with by the same command, which asks no instance twice", async () => {
        const killed = await killedRun(WORDS);
        expect(killed.code, "it was killed before its end").toBeNull();
        expect(linesOf(killed).length).toBeLessThan(COUNT);
        const before = await asked();
        expect(before.size).toBeLessThan(COUNT);

        const rest = await desk().cli(WORDS);
        expect(rest.code).toBe(0);
        const [, done, left] =
          /^An earlier call of this command, which was ended, has done (\d+); (\d+) are left/.exec(
            rest.stderr,
          ) ?? [];
        expect(Number(done)).toBeGreaterThanOrEqual(linesOf(killed).length);
        expect(Number(done) + Number(left)).toBe(COUNT);
        expect(linesOf(rest)).toHaveLength(Number(left));

        const after = await asked();
        expect(after.size).toBe(COUNT);
        expect([...after].filter(([, times]) => times > 1)).toEqual([]);
      });

      it("keeps nothing when it has come to its end", async () => {
        expect(await readdir(path.join(desk().folder, "duroxide"))).toEqual([]);
        const { stderr, stdout } = await desk().cli([...WORDS, "--dry-run", "-o", "table"]);
        expect(stderr).toBe("");
        expect(stdout).toMatch(new RegExp(`^${COUNT} instances would be asked to end`));
      });

      // journal.J2
      it("begins again with --anew, and for other flags", async () => {
        const verb = ["suspend", "--status", "running", "--reason", "wait", "--yes", "-o", "jsonl"];
        const killed = await killedRun(verb);
        expect(killed.code).toBeNull();
        expect((await desk().cli([...verb, "--name", "nothing"])).stderr).toBe("");
        const { stderr, code } = await desk().cli([...verb, "--anew"]);
        expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
      });
    },
    { empty: true },
  );
});
