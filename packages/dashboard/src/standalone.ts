/** The dashboard as a server of its own, for a desk: on loopback, with a one-time token. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { userInfo } from "node:os";
import { ConfigurationError, type Random, systemClock, systemRandom } from "@duroxide-ts/core";
import { type OptionList, optionFault, optionList } from "@duroxide-ts/core/stores";
import { type AddressOptions, addressFault, toNodeHandler, userIn } from "@duroxide-ts/core/web";
import { Sessions } from "./access/sessions.ts";
import { authorizeBySession, tokenDoor } from "./access/token-door.ts";
import { STORE_OPTIONS, type StoreOptions, sourceOf } from "./dashboard-options.ts";
import { Site } from "./site.ts";

/** The options of a standalone dashboard. Behind a proxy it answers with and without `basePath` in front. */
export interface StartDashboardOptions extends StoreOptions, AddressOptions {
  /** 7654 by default; 0 for any that is free. */
  readonly port?: number;
  /** The address to listen on: 127.0.0.1 by default. Any other than a loopback address needs a `token`. */
  readonly host?: string;
  /** At least 16 characters, used as often as needed; by default tokens are random, and each works once. */
  readonly token?: string;
  /** Stored with each action, as who took it: by default the user of this machine. */
  readonly user?: string;
  /** Names under which the server may be called, beside the address itself and those of `origins`. */
  readonly hosts?: readonly string[];
  readonly random?: Random;
}

/** A dashboard that is running. */
export interface RunningDashboard extends AsyncDisposable {
  /** Address, such as "http://127.0.0.1:7654/"; with `origins`, that at the first of them. */
  readonly address: string;
  /** Port on which it listens. */
  readonly port: number;
  /** An address that signs in the first browser that opens it; with a chosen token there is none, and it is `address`. */
  signInUrl(): string;
  /** Stops listening and ends the connections that are open. */
  close(): Promise<void>;
}

const OPTIONS: OptionList = optionList<StartDashboardOptions>({
  ...STORE_OPTIONS,
  port: true,
  host: true,
  token: true,
  user: true,
  basePath: true,
  origins: true,
  hosts: true,
  random: true,
});

const DEFAULT_PORT = 7_654;
const SHORTEST_TOKEN = 16;
const LOOPBACK: readonly string[] = ["127.0.0.1", "localhost", "[::1]", "::1"];

/**
 * Starts a server with the dashboard of a store. ConfigurationError for options that do not fit; rejects if the port is
 * taken.
 *
 * @example
 * ```ts
 * import { startDashboard } from "@duroxide-ts/dashboard";
 *
 * await using running = await startDashboard({ provider });
 * console.log(`Open ${running.signInUrl()}`);
 * ```
 */
export async function startDashboard(options: StartDashboardOptions): Promise<RunningDashboard> {
  const { host = "127.0.0.1", port = DEFAULT_PORT, token, random = systemRandom } = options;
  const { basePath = "", origins = [] } = options;
  const fault =
    optionFault("startDashboard", options, OPTIONS) ??
    addressFault("startDashboard", options) ??
    tokenFault(host, token);
  if (fault !== undefined) throw new ConfigurationError(fault);
  const source = sourceOf(options);
  const role = source.readOnly ? "viewer" : "operator";
  const user = userIn({ user: options.user ?? machineUser(), role });
  if (user === undefined) throw new ConfigurationError("startDashboard: user must be a name");
  const sessions = new Sessions(random, systemClock, token);
  const server = createServer();
  await listen(server, port, host);
  const bound = (server.address() as AddressInfo).port;
  const cookieName = `duroxide_${bound}`;
  // Browsers send such a cookie to this machine without TLS too.
  const isSecure = origins.length > 0 && origins.every((origin) => origin.startsWith("https:"));
  const guard = { hosts: hostsOf(host, options), origins: new Set(origins) };
  const site = new Site(
    { source, meter: options.meter, basePath, guard },
    authorizeBySession(sessions, cookieName, user),
    tokenDoor(sessions, { cookieName, basePath, isSecure }),
  );
  server.on(
    "request",
    toNodeHandler((request) => site.answer(request), source.logger),
  );
  const own = `http://${host.includes(":") ? `[${host}]` : host}:${bound}`;
  const address = `${origins[0] ?? own}${basePath}/`;
  const close = (): Promise<void> => closed(server);
  return {
    address,
    port: bound,
    signInUrl: () => (token === undefined ? `${address}?token=${sessions.newToken()}` : address),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function tokenFault(host: string, token: string | undefined): string | undefined {
  if (token !== undefined && token.length < SHORTEST_TOKEN) {
    return `startDashboard: token must have at least ${SHORTEST_TOKEN} characters`;
  }
  if (token !== undefined || LOOPBACK.includes(host)) return undefined;
  return `startDashboard: ${host} can be reached from other machines; give a token, or leave host at 127.0.0.1`;
}

function machineUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry in the system has no name.
    return "local";
  }
}

/** On loopback only its own names are answered. Elsewhere the names of the machine are not known: those given, or all. */
function hostsOf(
  host: string,
  { hosts = [], origins = [] }: StartDashboardOptions,
): ReadonlySet<string> | undefined {
  const named = [
    ...hosts.map((name) => name.toLowerCase()),
    ...origins.map((origin) => new URL(origin).hostname),
  ];
  if (LOOPBACK.includes(host)) return new Set([...LOOPBACK, ...named]);
  return hosts.length === 0 ? undefined : new Set([host.toLowerCase(), ...named]);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
