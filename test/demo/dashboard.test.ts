/** `npm run demo -- --dashboard`: the dashboard of the orders, at the end of a real demo. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "../support/run-program.ts";

/** Only finds a demo that hangs. */
const PATIENCE_MS = 900_000;

interface Seen {
  readonly host: string;
  readonly withoutSignIn: number;
  readonly orders: readonly string[];
}

/** Signs in with the address, as a browser does, and asks for the instances. */
async function look(address: string): Promise<Seen> {
  const instances = new URL("api/instances?limit=100", address);
  const stranger = await fetch(instances);
  const signedIn = await fetch(address, { redirect: "manual" });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  const answer = await fetch(instances, { headers: { cookie } });
  const page = (await answer.json()) as { readonly rows: readonly { readonly id: string }[] };
  return {
    host: instances.hostname,
    withoutSignIn: stranger.status,
    orders: page.rows.map(({ id }) => id).filter((id) => /^order-\d+$/.test(id)),
  };
}

it(
  "shows the orders to who has the address, on this machine only, until Ctrl-C",
  async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "demo-test-"));
    let seen: Promise<Seen> | undefined;
    const { exitCode, output } = await runProgram(
      ["examples/order-fulfilment/demo.ts", "--dashboard"],
      { TMPDIR: folder, TEMP: folder, TMP: folder },
      (text, interrupt) => {
        const [, address] = /until Ctrl-C: (\S+)\n/.exec(text) ?? [];
        if (address === undefined || seen !== undefined) return;
        seen = look(address);
        seen.then(interrupt, interrupt);
      },
    );
    const { orders, ...others } = (await seen) ?? { orders: [] };
    expect(others, output).toEqual({ host: "127.0.0.1", withoutSignIn: 401 });
    expect(new Set(orders).size).toBe(12);
    expect(exitCode, output).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  },
  PATIENCE_MS,
);
