/** A standalone dashboard behind a reverse proxy. */
import { createServer, request as httpRequest } from "node:http";
import { Client, orchestration, silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { startDashboard } from "../../src/index.ts";
import { listening } from "../support/listening.ts";

const TOKEN = "correct horse battery staple";
const ORIGIN = "https://ops.example.com";

/** A proxy that has the upstream below /ops, and names the host of the upstream. */
async function proxyTo(
  upstream: string,
  cutsPrefix: boolean,
): Promise<AsyncDisposable & { readonly address: string }> {
  const { hostname, port, host } = new URL(upstream);
  const proxy = createServer((incoming, outgoing) => {
    const { url = "", method, headers } = incoming;
    if (!url.startsWith("/ops/")) {
      outgoing.writeHead(404).end();
      return;
    }
    const path = cutsPrefix ? url.slice("/ops".length) : url;
    const passed = httpRequest({ hostname, port, method, path, headers: { ...headers, host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  return listening(proxy);
}

describe.each([true, false])("behind a proxy with its own host that cuts the prefix: %s", (cutsPrefix) => {
  it("every address of the page lies below the base path, and the page of the public origin acts", async () => {
    const provider = new MemoryProvider();
    const job = orchestration("job", async () => {});
    await new Client(provider).start(job, { instanceId: "order-1" });
    const settings = { basePath: "/ops", origins: [ORIGIN], token: TOKEN, port: 0, logger: silentLogger };
    await using upstream = await startDashboard({ provider, ...settings });
    expect(upstream.address).toBe(`${ORIGIN}/ops/`);
    await using proxy = await proxyTo(`http://127.0.0.1:${upstream.port}`, cutsPrefix);
    const signedIn = await fetch(`${proxy.address}/ops/instance?id=order-1`, {
      method: "POST",
      body: new URLSearchParams({ token: TOKEN }),
    });
    expect(await signedIn.text()).toContain('url=/ops/instance?id=order-1"');
    const [set = ""] = signedIn.headers.getSetCookie();
    expect(set).toContain("; Path=/ops");
    const cookie = set.split(";")[0] ?? "";
    const page = await fetch(`${proxy.address}/ops/`, { headers: { cookie } });
    const links = [...(await page.text()).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = ""]) => link);
    expect(links.length).toBeGreaterThan(0);
    const statuses = await Promise.all(links.map(async (link) => (await fetch(proxy.address + link)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const act = (origin: string): Promise<Response> =>
      fetch(`${proxy.address}/ops/api/act`, {
        method: "POST",
        headers: { cookie, origin, "x-duroxide-action": "1", "content-type": "application/json" },
        body: JSON.stringify({ verb: "cancel", id: "order-1", reason: "sold out" }),
      });
    expect((await act("https://evil.example")).status).toBe(403);
    expect((await act(ORIGIN)).status).toBe(200);
  });
});

describe("a standalone dashboard", () => {
  it("answers under the hosts of its origins, for a proxy that passes the host on", async () => {
    const provider = new MemoryProvider();
    await using running = await startDashboard({
      provider,
      origins: [ORIGIN],
      port: 0,
      logger: silentLogger,
    });
    const statusFor = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const asked = httpRequest(
          { hostname: "127.0.0.1", port: running.port, headers: { host } },
          (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          },
        );
        asked.on("error", reject);
        asked.end();
      });
    expect(await statusFor("ops.example.com")).toBe(401);
    expect(await statusFor("evil.example")).toBe(421);
  });

  it.each([{ basePath: "ops/" }, { origins: [`${ORIGIN}/`] }, { origins: ["ops.example.com"] }])(
    "refuses an address that no browser sends: %o",
    async (options) => {
      await expect(startDashboard({ provider: new MemoryProvider(), port: 0, ...options })).rejects.toThrow(
        /must be/,
      );
    },
  );
});
