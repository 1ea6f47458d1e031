/**
 * W1 to W5 in the API of each system, one after the other: speed, processor time with that of its server, memory, start.
 * Packages come from the registry, ours from `npm run pack`. PostgreSQL is that of the machine. Linux only.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "..");
const PACKED = path.join(ROOT, "dist", "packages");
const POSTGRES_PORT = 55_433;

interface System {
  readonly program: string;
  readonly server?: "postgres" | "restate";
  readonly environment?: Readonly<Record<string, string>>;
  /** File or log with which a commit waits for the disk. */
  readonly syncs: string;
}

const SYSTEMS: readonly System[] = [
  { program: "duroxide", syncs: "the log of the file, once for all commits of a moment" },
  { program: "dbos", server: "postgres", syncs: "the log of the server, once for commits at the same time" },
  { program: "openworkflow", environment: { PEER_STORE: "sqlite" }, syncs: "the log of the file" },
  {
    program: "openworkflow",
    server: "postgres",
    environment: { PEER_STORE: "postgres" },
    syncs: "the log of the server, once for commits at the same time",
  },
  { program: "restate", server: "restate", syncs: "the log of the server" },
];

/** `times` is the length of each workload, as a multiple of the usual one. */
export async function measurePeers(times: number): Promise<readonly object[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "duroxide-peers-"));
  chmodSync(folder, 0o755); // PostgreSQL has a user of its own
  try {
    install(folder);
    const lines: object[] = [];
    for (const system of SYSTEMS) lines.push(...(await measureOne(system, folder, times)));
    return lines;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs the packages once for a machine: the folder is kept beside the packed packages. */
function install(folder: string): void {
  const kept = path.join(ROOT, "dist", "peers");
  mkdirSync(kept, { recursive: true });
  const packed = ["core", "sqlite"].map((name) => {
    const files = existsSync(PACKED) ? readdirSync(PACKED) : [];
    const file = files.find((each) => each.startsWith(`duroxide-ts-${name}-`));
    if (file === undefined) throw new Error("there are no packed packages; run `npm run pack` first");
    return path.join(PACKED, file);
  });
  cpSync(path.join(import.meta.dirname, "peers"), kept, { recursive: true });
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-save", "--silent"], { cwd: kept });
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-save", "--silent", ...packed], {
    cwd: kept,
  });
  mkdirSync(path.join(folder, "data"));
}

async function measureOne(
  { program, server, environment, syncs }: System,
  folder: string,
  times: number,
): Promise<readonly object[]> {
  await using running = server === undefined ? undefined : await startServer(server, folder);
  const child = spawn(process.execPath, [`${program}.mjs`], {
    cwd: path.join(ROOT, "dist", "peers"),
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      ...environment,
      PEER_TIMES: String(times),
      PEER_FOLDER: path.join(folder, "data"),
      PEER_SERVER: String(running?.pid ?? 0),
      PEER_POSTGRES: `postgresql://postgres@127.0.0.1:${POSTGRES_PORT}`,
    },
  });
  let output = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) output += chunk;
  return output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => ({ ...(JSON.parse(line) as object), times, syncs }));
}

interface Server extends AsyncDisposable {
  readonly pid: number;
}

function startServer(kind: "postgres" | "restate", folder: string): Promise<Server> {
  return kind === "postgres" ? startPostgres(folder) : startRestate(folder);
}

/**
 * PostgreSQL with its defaults: `fsync` and `synchronous_commit` are on. Statistics are taken each second, not each
 * minute: without any, it plans scans of whole tables, which a database that has run for a while does not.
 */
async function startPostgres(folder: string): Promise<Server> {
  const programs = path.dirname(
    spawnSync("sh", ["-c", "ls /usr/lib/postgresql/*/bin/initdb | tail -1"], {
      encoding: "utf8",
    }).stdout.trim(),
  );
  const data = mkdtempSync(path.join(folder, "postgres-"));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync("chown", ["postgres", data]);
  const run = (command: string): void => {
    const [file, ...args] = isRoot ? ["su", "postgres", "-c", command] : ["sh", "-c", command];
    execFileSync(file, args, { stdio: "ignore" });
  };
  const store = path.join(data, "data");
  run(`${programs}/initdb -D ${store} -A trust -U postgres`);
  const options = `-p ${POSTGRES_PORT} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${data} -c max_connections=200 -c shared_buffers=256MB -c autovacuum_naptime=1s`;
  run(`${programs}/pg_ctl -D ${store} -w -l ${data}/log -o "${options}" start`);
  for (const name of ["dbos", "openworkflow"])
    run(`${programs}/createdb -h 127.0.0.1 -p ${POSTGRES_PORT} -U postgres ${name}`);
  const pid = Number(readFileSync(path.join(store, "postmaster.pid"), "utf8").split("\n")[0]);
  return {
    pid,
    [Symbol.asyncDispose]: async () => run(`${programs}/pg_ctl -D ${store} -m fast stop`),
  };
}

async function startRestate(folder: string): Promise<Server> {
  const program = path.join(
    ROOT,
    "dist/peers/node_modules/@restatedev/restate-server-linux-x64/bin/restate-server",
  );
  const child: ChildProcess = spawn(
    program,
    [
      "--no-logo",
      "--listen-mode",
      "tcp",
      "--node-name",
      "peers",
      "--base-dir",
      path.join(folder, "restate"),
      "--bind-ip",
      "127.0.0.1",
    ],
    {
      stdio: "ignore",
      env: {
        ...process.env,
        RESTATE_INGRESS__BIND_ADDRESS: "127.0.0.1:18080",
        RESTATE_ADMIN__BIND_ADDRESS: "127.0.0.1:19070",
        RESTATE_BIND_ADDRESS: "127.0.0.1:15122",
        RESTATE_ADVERTISED_ADDRESS: "http://127.0.0.1:15122",
        RESTATE_DISABLE_TELEMETRY: "true",
        DO_NOT_TRACK: "1",
        RUST_LOG: "warn",
      },
    },
  );
  const isUp = (): Promise<boolean> =>
    fetch("http://127.0.0.1:19070/health").then(
      ({ ok }) => ok,
      () => false,
    );
  for (let tries = 0; !(await isUp()); tries++) {
    if (tries > 300) throw new Error("the server of Restate does not answer");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return {
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    },
  };
}
