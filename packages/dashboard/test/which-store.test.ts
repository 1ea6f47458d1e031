/** A page names the store that it shows, whichever way the dashboard got it. */
import { tmpdir } from "node:os";
import { Client, silentLogger } from "@duroxide-ts/core";
import { fileBlobStore, withOffload } from "@duroxide-ts/core/offload";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { type DashboardOptions, dashboard, startDashboard } from "../src/index.ts";
import { openStore, type TestStore } from "./support/stores.ts";

type Given = Pick<DashboardOptions, "provider" | "client" | "redact">;

const GIVEN: Readonly<Record<string, (store: TestStore) => Given>> = {
  "a provider": ({ provider }) => ({ provider }),
  "a provider, with redact": ({ provider }) => ({ provider, redact: (_path, value) => value }),
  "a client": ({ provider }) => ({ client: new Client(provider, { logger: silentLogger }) }),
  "a provider that offloads": ({ provider }) => ({
    provider: withOffload(provider, { store: fileBlobStore(tmpdir()) }),
  }),
};

async function titleOf(options: Given): Promise<string> {
  const handler = dashboard({
    ...options,
    logger: silentLogger,
    authorize: () => ({ user: "ada", role: "viewer" }),
  });
  return (
    /<title>(.*)<\/title>/.exec(await (await handler(new Request("http://127.0.0.1/"))).text())?.[1] ?? ""
  );
}

describe.each([
  ["sqlite", /^orders\.db$/],
  ["cosmos", /^127\.0\.0\.1:\d+\/shop\/orders$/],
] as const)("a dashboard on %s", (name, named) => {
  it.each(Object.keys(GIVEN))("that was given %s names the file, or the container", async (given) => {
    await using store = await openStore(name);
    expect(await titleOf(GIVEN[given]?.(store) ?? {})).toMatch(named);
  });
});

it("a standalone dashboard names it too, and a title of its own goes first", async () => {
  await using store = await openStore("sqlite");
  const { provider } = store;
  const shown = async (title?: string): Promise<string> => {
    const token = "correct horse battery staple";
    await using running = await startDashboard({
      provider,
      port: 0,
      token,
      logger: silentLogger,
      ...(title !== undefined && { title }),
    });
    const body = new URLSearchParams({ token });
    const signIn = await fetch(`${running.address}signin`, { method: "POST", body, redirect: "manual" });
    const cookie = (signIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const page = await (await fetch(running.address, { headers: { cookie } })).text();
    return /<title>(.*)<\/title>/.exec(page)?.[1] ?? "";
  };
  expect(await shown()).toBe("orders.db");
  expect(await shown("The shop")).toBe("The shop");
});

it("a store without a name of its own has that of its kind", async () => {
  expect(await titleOf({ provider: new MemoryProvider() })).toBe("memory");
});
