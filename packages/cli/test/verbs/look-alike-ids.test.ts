/** Ids that differ in what a line or an eye may lose: no verb takes one for another. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk } from "../support/desk.ts";

const PLAIN = ["order-42", "order-43", "order-44", "-43", "order"];

/** Ids that look like the plain ones. */
const ODD = [
  "order-42 ",
  " order-42",
  "order-42\r",
  "order\n-43",
  "order\r\n-43",
  "order\u2028-43",
  "order\u0085-43",
  "\u00a0order-44",
  "order-44\ufeff",
  "order-44\u0000",
  '"order-44"',
  "order-44,order-43",
  "   ",
];

describe.each(["sqlite", "cosmos"] as const)("on %s", (kind) => {
  let desk: Desk;

  beforeAll(async () => {
    desk = await Desk.open(kind, { empty: true });
    const runtime = await desk.runtime();
    for (const id of PLAIN) await desk.client.start("checkout", { instanceId: id, input: 10 });
    for (const id of ODD) await desk.client.start("patient", { instanceId: id });
    for (const id of [...PLAIN, ...ODD])
      await desk.until(async () => (await desk.client.handle("any", id).status()).status === "Running");
    await runtime.shutdown();
  });
  afterAll(() => desk[Symbol.asyncDispose]());

  it("each id is one line, which is read as the same id", async () => {
    const { stdout } = await desk.cli(["list", "--name", "patient", "-o", "ids"]);
    expect(stdout.trimEnd().split("\n")).toHaveLength(ODD.length);
    const { stdout: seen } = await desk.cli(["suspend", "-", "--reason", "odd", "--dry-run", "-o", "json"], {
      stdin: stdout,
    });
    const ids = (JSON.parse(seen) as { readonly instanceId: string }[]).map(({ instanceId }) => instanceId);
    expect(ids.sort()).toEqual([...ODD].sort());
  });

  it("a list that was piped changes what it names and nothing else", async () => {
    const { stdout } = await desk.cli(["list", "--name", "patient", "-o", "ids"]);
    const changed = ["suspend", "-", "--yes", "--reason", "odd", "-o", "ids"];
    const { stdout: done, code } = await desk.cli(changed, { stdin: stdout });
    expect(code).toBe(0);
    expect(done.split("\n").sort()).toEqual(stdout.split("\n").sort());
    const running = await desk.cli(["list", "--status", "running", "-o", "ids"]);
    expect(running.stdout.trimEnd().split("\n").sort()).toEqual([...PLAIN].sort());
    await desk.cli(["resume", "-", "--yes", "--reason", "odd"], { stdin: stdout });
  });

  it("a file of Windows has ids without its line ends", async () => {
    const stdin = "\ufefforder-42\r\n\r\norder-43\r\n";
    const { stdout } = await desk.cli(["suspend", "-", "--reason", "odd", "--dry-run", "-o", "ids"], {
      stdin,
    });
    expect(stdout).toBe("order-42\norder-43\n");
  });

  it("a line with white space at its end is no other id", async () => {
    const { stdout } = await desk.cli(["suspend", "-", "--reason", "odd", "--dry-run", "-o", "json"], {
      stdin: "order-42 \n",
    });
    expect(JSON.parse(stdout)).toEqual([{ instanceId: "order-42 " }]);
  });

  it("a line that begins with a quote and is no JSON is refused", async () => {
    const { code, stderr } = await desk.cli(["suspend", "-", "--reason", "odd", "--dry-run"], {
      stdin: '"order\n',
    });
    expect(code).toBe(2);
    expect(stderr).toContain("is no JSON string");
  });

  it("look different in a table", async () => {
    const { stdout } = await desk.cli(["list"]);
    const ids = stdout
      .split("\n")
      .slice(1)
      .map((line) => line.split(/ {2,}/)[0]);
    expect(ids).toEqual(
      expect.arrayContaining(["order-42\\x20", "\\x20order-42", "\\xa0order-44", "order-42"]),
    );
    expect(new Set(ids).size).toBeGreaterThanOrEqual(ODD.length + PLAIN.length);
  });

  it("a comma is a part of the name of an orchestration", async () => {
    const names = async (...words: string[]): Promise<string> =>
      (await desk.cli(["list", "-o", "ids", ...words])).stdout;
    expect(await names("--name", "patient,checkout")).toBe("");
    expect((await names("--name", "patient", "--name", "checkout")).trimEnd().split("\n")).toHaveLength(
      ODD.length + PLAIN.length,
    );
  });
});
