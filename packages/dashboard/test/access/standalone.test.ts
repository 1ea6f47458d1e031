/** A standalone dashboard: a one-time token becomes a cookie. */
import { request as httpRequest } from "node:http";
import { silentLogger } from "@duroxide-ts/core";
import { MemoryProvider } from "@duroxide-ts/core/testing";
import { describe, expect, it } from "vitest";
import { type RunningDashboard, startDashboard } from "../../src/index.ts";

function start(
  more: { readonly token?: string; readonly readOnly?: boolean; readonly origins?: readonly string[] } = {},
): Promise<RunningDashboard> {
  return startDashboard({ provider: new MemoryProvider(), port: 0, logger: silentLogger, ...more });
}

function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

function statusFor({ address }: RunningDashboard, host: string, cookie: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${address}api/session`, { headers: { host, cookie } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", reject);
    request.end();
  });
}

describe("a standalone dashboard", () => {
  it("refuses every request without a token", async () => {
    await using running = await start();
    expect((await fetch(running.address)).status).toBe(401);
    expect((await fetch(`${running.address}api/session`)).status).toBe(401);
    expect((await fetch(`${running.address}?token=guess`)).status).toBe(401);
  });

  it("turns its address into a cookie that neither scripts nor requests of other sites but links have", async () => {
    await using running = await start();
    const response = await fetch(running.signInUrl());
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()[0]).toMatch(/; HttpOnly; SameSite=Lax; Path=\/$/);
    const session = await fetch(`${running.address}api/session`, { headers: { cookie: cookieOf(response) } });
    expect(await session.json()).toMatchObject({ role: "operator", readOnly: false });
  });

  it.each([
    [["https://ops.example.com"], true],
    [["https://ops.example.com", "http://ops.internal"], false],
    [[], false],
  ])("has a cookie for TLS only where all its origins have TLS: %j", async (origins, isSecure) => {
    await using running = await start({ token: "correct horse battery staple", origins });
    const response = await fetch(`http://127.0.0.1:${running.port}/?token=correct+horse+battery+staple`);
    expect(response.headers.getSetCookie()[0]?.endsWith("; Secure")).toBe(isSecure);
  });

  it("leaves the cookie of a browser that another site makes sign out without it", async () => {
    await using running = await start();
    const response = await fetch(`${running.address}signout`, { method: "POST" });
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
  });

  it("takes an address once", async () => {
    await using running = await start();
    const url = running.signInUrl();
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(url)).status).toBe(401);
  });

  it("takes a chosen token as often as needed, from the form and as a bearer's", async () => {
    const token = "correct horse battery staple";
    await using running = await start({ token });
    for (let n = 0; n < 2; n++) {
      const response = await fetch(`${running.address}signin`, {
        method: "POST",
        body: new URLSearchParams({ token }),
      });
      expect(cookieOf(response)).toMatch(/^duroxide_\d+=.{40,}/);
    }
    const bearer = { authorization: `Bearer ${token}` };
    expect((await fetch(`${running.address}api/session`, { headers: bearer })).status).toBe(200);
    expect(
      (await fetch(`${running.address}api/session`, { headers: { authorization: "Bearer x" } })).status,
    ).toBe(401);
  });

  it("leads to the address at which somebody has signed in, but to no other site", async () => {
    const token = "correct horse battery staple";
    await using running = await start({ token });
    const leadsTo = async (path: string): Promise<string | undefined> => {
      const response = await fetch(new URL(running.address).origin + path, {
        method: "POST",
        body: new URLSearchParams({ token }),
      });
      return /content="0; url=([^"]*)"/.exec(await response.text())?.[1];
    };
    expect(await leadsTo("/instance?id=a%22b&tab=history")).toBe("/instance?id=a%22b&amp;tab=history");
    expect(await leadsTo("/?token=guess")).toBe("/");
    for (const elsewhere of ["//evil.example/", "/\\evil.example", "///evil.example/x"]) {
      expect(await leadsTo(elsewhere)).toBe("/");
    }
  });

  it("reads no more of a form than a token takes, before anybody is known", async () => {
    await using running = await start({ token: "correct horse battery staple" });
    let sent = 0;
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(97));
        if (sent > 100_000_000) controller.close();
      },
    });
    const init: RequestInit & { duplex: "half" } = { method: "POST", body: endless, duplex: "half" };
    const answer = await fetch(`${running.address}signin`, init).catch(() => undefined);
    expect(answer?.status ?? 413).toBe(413);
    expect(sent).toBeLessThan(50_000_000);
    expect((await fetch(running.address)).status).toBe(401);
  });

  it("signs out, and the cookie is worth nothing afterwards", async () => {
    await using running = await start();
    const cookie = cookieOf(await fetch(running.signInUrl()));
    const status = async (): Promise<number> =>
      (await fetch(`${running.address}api/session`, { headers: { cookie } })).status;
    expect(await status()).toBe(200);
    const signedOut = await fetch(`${running.address}signout`, { method: "POST", headers: { cookie } });
    expect(signedOut.headers.getSetCookie()[0]).toMatch(/^duroxide_\d+=; Max-Age=0; HttpOnly/);
    expect(await status()).toBe(401);
  });

  it("signs in viewers where it is read-only", async () => {
    await using running = await start({ readOnly: true });
    const cookie = cookieOf(await fetch(running.signInUrl()));
    const session = await fetch(`${running.address}api/session`, { headers: { cookie } });
    expect(await session.json()).toMatchObject({ role: "viewer", readOnly: true, verbs: [] });
  });

  it("answers for a further name, however it is spelt", async () => {
    await using running = await startDashboard({
      provider: new MemoryProvider(),
      port: 0,
      logger: silentLogger,
      hosts: ["Desk.Example"],
    });
    const cookie = cookieOf(await fetch(running.signInUrl()));
    expect(await statusFor(running, "desk.example", cookie)).toBe(200);
    expect(await statusFor(running, "DESK.example", cookie)).toBe(200);
  });

  it("answers its own host names only, with the right cookie too", async () => {
    await using running = await start();
    const cookie = cookieOf(await fetch(running.signInUrl()));
    const { port } = new URL(running.address);
    expect(await statusFor(running, `localhost:${port}`, cookie)).toBe(200);
    expect(await statusFor(running, `rebound.example:${port}`, cookie)).toBe(421);
    expect(await statusFor(running, "169.254.169.254", cookie)).toBe(421);
  });
});
