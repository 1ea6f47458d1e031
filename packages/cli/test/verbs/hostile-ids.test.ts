/** Whatever an id holds, no verb sends to a terminal what the terminal would obey, nor a line of the id's own. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { onEachStore } from "../support/desk.ts";
import { obeyed } from "../support/terminal-safe.ts";

const ID = "a\u001b[2J\u009b31m\u202e\u2028\u0001\rb\nforged line";
const NAME = "n\u001b[2J\nforged line";

const LOOKS = [
  ["list"],
  ["list", "-o", "json"],
  ["list", "-o", "jsonl"],
  ["list", "-o", "ids"],
  ["list", "--name", NAME],
  ["count", "--by", "name,status,version"],
  ["show", ID],
  ["show", ID, "--tree"],
  ["show", ID, "-o", "ids"],
  ["show", ID, "-o", "json"],
  ["history", ID],
  ["history", ID, "--compact"],
  ["history", ID, "-o", "jsonl"],
  ["history", ID, "-o", "ids"],
  ["result", ID, "--timeout", "0"],
  ["queues"],
  ["queues", "--rows"],
  ["queues", "--instance", ID],
  ["workers"],
  ["doctor"],
  ["top", "--once"],
  ["export", "--all"],
  ["history", "export", ID],
  ["dead-letters", "list"],
  ["dead-letters", "show", ID],
];
const CHANGES = ["suspend", "resume", "retry", "restart", "cancel", "terminate", "prune", "delete"];

onEachStore(
  (desk) => {
    async function check(words: readonly string[], stdin?: string): Promise<void> {
      const { stdout, stderr } = await desk().cli(words, stdin === undefined ? {} : { stdin });
      for (const output of [stdout, stderr]) {
        expect({ words, obeyed: obeyed(output) }).toEqual({ words, obeyed: [] });
        expect({ words, forged: /^forged/m.test(output) }).toEqual({ words, forged: false });
      }
    }

    it("is told of in every answer as text", async () => {
      await desk().client.start(NAME, { instanceId: ID, input: ID, version: "1.0.0" });
      await desk().client.start("checkout", { instanceId: `${ID}2`, input: ID });
      for (const words of LOOKS) await check(words);
      await using _runtime = await desk().runtime();
      await desk().until(
        async () => (await desk().client.handle("checkout", `${ID}2`).status()).status === "Running",
      );
      const again = (words: readonly string[]) => words.map((word) => (word === ID ? `${ID}2` : word));
      for (const words of LOOKS) await check(again(words));
      for (const words of LOOKS) await check(words.map((word) => (word === ID ? `${ID} unknown` : word)));
    });

    it("is told of as text by every verb that changes something, for one and for many", async () => {
      const ids = `${JSON.stringify(ID)}\n${JSON.stringify(`${ID}2`)}\n${JSON.stringify(`${ID} unknown`)}\n`;
      for (const verb of CHANGES) {
        await check([verb, `${ID} unknown`, "--yes", "--reason", ID]);
        await check([verb, "-", "--dry-run"], ids);
        await check([verb, "-", "--yes", "--reason", ID], ids);
        await check([verb, `${ID}2`, "--yes"]);
      }
      await check(["start", NAME, "--id", ID, "--input", JSON.stringify(ID)]);
      await check(["start", NAME, "--id", ID]);
      for (const verb of ["raise", "enqueue"]) {
        await check([verb, ID, NAME, JSON.stringify(ID)]);
        await check([verb, `${ID} unknown`, NAME, JSON.stringify(ID)]);
        await check([verb, ID, NAME, ID]);
      }
      await check(["rewind", ID, "--to", "1", "--yes"]);
      await check([ID]);
      await check(["list", `--${ID}`]);
      await check(["list", "--status", ID]);
    });

    it("is told of as text by an import, and by what reads files", async () => {
      const file = path.join(desk().folder, "hostile.jsonl");
      const record = { format: "duroxide-instance-1", instanceId: `${ID}3`, executions: [[ID]] };
      await writeFile(file, `${JSON.stringify(record)}\n`);
      await check(["import", file, "--yes"]);
      await writeFile(file, `${ID}\n`);
      await check(["import", file, "--yes"]);
      await check(["import", ID, "--yes"]);
      await check(["replay", file]);
      await check(["start", "checkout", "--id", "i", "--input", `@${ID}`]);
    });
  },
  { empty: true },
);
