/** `duroxide start`. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { onEachStore } from "../support/desk.ts";

describe("start", () => {
  onEachStore(
    (desk) => {
      it("stores the start and says what to do next", async () => {
        const { code, stdout } = await desk().cli(["start", "checkout", "--id", "s-1", "--input", "10"]);
        expect({ code, stdout }).toEqual({
          code: 0,
          stdout: "s-1 is started\nNext: duroxide show s-1 | duroxide result s-1\n",
        });
      });

      it("refuses an id that is taken, or goes on with it", async () => {
        await desk().cli(["start", "pack", "--id", "taken"]);
        const again = await desk().cli(["start", "pack", "--id", "taken"]);
        expect(again.code).toBe(1);
        expect(again.stderr).toContain("taken");
        expect(await desk().cli(["start", "pack", "--id", "taken", "--if-exists", "reuse"])).toMatchObject({
          code: 0,
        });
      });

      it("waits for the result with --wait, from a file, stdin or the command line", async () => {
        const runtime = await desk().runtime();
        await writeFile(path.join(desk().folder, "lines.json"), "[1,2]");
        const run = desk().cli(["start", "reader", "--id", "w-1", "--wait", "-o", "json"]);
        await desk().until(
          async () => (await desk().client.handle("reader", "w-1").status()).status === "Running",
        );
        await desk().cli(["enqueue", "w-1", "lines", "@lines.json"]);
        expect(JSON.parse((await run).stdout)).toEqual({
          instanceId: "w-1",
          status: "Completed",
          output: [1, 2],
        });
        const failed = await desk().process(["start", "checkout", "--wait", "--input", "-"], {
          stdin: "2000",
        });
        await runtime.shutdown();
        expect(failed.code).toBe(1);
        expect(failed.stderr).toContain("declined");
      });

      it("takes input with a byte-order mark, and names UTF-16", async () => {
        const marked = "\ufeff10";
        const inFile = path.join(desk().folder, "marked.json");
        await writeFile(inFile, marked);
        const start = (id: string, from: string) => ["start", "checkout", "--id", id, "--input", from];
        expect(await desk().cli(start("bom-1", "@marked.json"))).toMatchObject({ code: 0 });
        expect(await desk().cli(start("bom-2", "-"), { stdin: marked })).toMatchObject({ code: 0 });
        await writeFile(inFile, Buffer.from(marked, "utf16le"));
        const refused = await desk().cli(start("bom-3", "@marked.json"));
        expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("is UTF-16") });
      });

      it("gives up waiting after --timeout", async () => {
        const { code, stderr } = await desk().cli([
          "start",
          "pack",
          "--id",
          "t-1",
          "--wait",
          "--timeout",
          "200ms",
        ]);
        expect(code).toBe(1);
        expect(stderr).toContain("t-1 has not ended");
      });

      it("starts an instance that has ended again, and none that runs, with --if-exists restart", async () => {
        const words = ["start", "reader", "--id", "again", "--if-exists", "restart"];
        await desk().cli(["start", "reader", "--id", "again"]);
        const running = await desk().cli(words);
        expect(running).toMatchObject({ code: 1, stderr: expect.stringContaining("again") });
        const runtime = await desk().runtime();
        await desk().cli(["enqueue", "again", "lines", "1"]);
        await desk().client.handle("reader", "again").result();
        await runtime.shutdown();
        expect(await desk().cli(words)).toMatchObject({ code: 0 });
      });

      it("stores events and messages with the start", async () => {
        const words = ["start", "reader", "--enqueue", 'lines={"a":1,"b":[2,3]}', "--wait", "-o", "json"];
        const early = [
          "start",
          "early",
          "--raise",
          "go=true",
          "--raise",
          'go={"n":2}',
          "--wait",
          "-o",
          "json",
        ];
        const runtime = await desk().runtime();
        expect(JSON.parse((await desk().cli(words)).stdout)).toMatchObject({ output: { a: 1, b: [2, 3] } });
        expect(JSON.parse((await desk().cli(early)).stdout)).toMatchObject({ output: [true, { n: 2 }] });
        await runtime.shutdown();
        expect(await desk().cli(["start", "reader", "--raise", "=1"])).toMatchObject({ code: 2 });
        expect(await desk().cli(["start", "reader", "--enqueue", "lines={"])).toMatchObject({ code: 2 });
      });

      it("ends an instance that has not ended after --instance-timeout", async () => {
        const runtime = await desk().runtime();
        const late = ["start", "pack", "--instance-timeout", "1ms", "--wait", "-o", "json"];
        const { code, stdout, stderr } = await desk().cli(late);
        await runtime.shutdown();
        expect(code).toBe(1);
        expect(`${stdout}${stderr}`).toMatch(/did not end within 1 ms/);
      });

      it("prints the id", async () => {
        const { stdout } = await desk().cli(["start", "pack", "--id", "i-1", "-o", "ids"]);
        expect(stdout).toBe("i-1\n");
      });

      it("refuses what is no JSON, and two names", async () => {
        const wrong = await desk().cli(["start", "checkout", "--input", "{cents"]);
        expect(wrong.code).toBe(2);
        expect(wrong.stderr).toContain("--input is no JSON");
        expect(await desk().cli(["start", "a", "b"])).toMatchObject({ code: 2 });
        expect(await desk().cli(["start", "checkout", "--version", "one"])).toMatchObject({ code: 2 });
      });
    },
    { empty: true },
  );
});
