/** Connections through the proxy of a company: Node's own setting counts, with a real CONNECT proxy. */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../../test/support/run-program.ts";
import { startEndpoint } from "./fixture.ts";

interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** Hosts to which tunnels were asked for. */
  readonly tunnels: readonly string[];
}

async function startProxy(): Promise<Proxy> {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer().on("connect", ({ url = "" }, client: Socket, head) => {
    tunnels.push(url);
    const { hostname, port } = new URL(`http://${url}`);
    const upstream = connect(Number(port), hostname, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    for (const each of [client, upstream]) {
      sockets.add(each);
      each.on("error", () => each.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const dispose = async (): Promise<void> => {
    for (const each of sockets) each.destroy();
    server.close();
    await once(server, "close");
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, tunnels, [Symbol.asyncDispose]: dispose };
}

const PROGRAM = "packages/cosmos/test/connection/connects.ts";

it.each([
  ["goes through it where Node is told to", "1", "", true],
  ["does not where NO_PROXY names the host", "1", "127.0.0.1", false],
  ["does not where Node is not told to", "0", "", false],
])("a process with HTTPS_PROXY %s", async (_, isUsed, noProxy, isProxied) => {
  await using emulator = await startEndpoint({ https: true });
  await using proxy = await startProxy();
  const folder = await mkdtemp(path.join(tmpdir(), "duroxide-proxy-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { endpoint, key, certificate = "" } = emulator;
  const authority = path.join(folder, "authority.pem");
  await writeFile(authority, certificate);
  const environment = {
    HTTPS_PROXY: proxy.url,
    https_proxy: proxy.url,
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    NODE_USE_ENV_PROXY: isUsed,
    NODE_EXTRA_CA_CERTS: authority,
    COSMOSDB_ENDPOINT: endpoint,
    COSMOSDB_KEY: key,
  };
  const { exitCode, output } = await runProgram(["--no-warnings", PROGRAM], environment);
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: "connected\n" });
  expect(new Set(proxy.tunnels)).toEqual(new Set(isProxied ? [new URL(endpoint).host] : []));
});
