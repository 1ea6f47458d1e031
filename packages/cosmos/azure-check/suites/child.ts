/** A command of the repository as a child process, on the account of the check. The key reaches it by the environment. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Stage } from "../stage.ts";

export interface Ended {
  readonly exitCode: unknown;
  readonly stdout: string;
  /** The end of what it printed, for people. */
  readonly end: string;
}

const ROOT = path.resolve(import.meta.dirname, "../../../..");
const RUN = path.join(ROOT, "scripts", "run.cjs");
const SHOWN = 1_500;

/** `npm run <args>`. Resolves when it has ended. */
export function runCommand(stage: Stage, ...args: readonly string[]): Promise<Ended> {
  return runNode(stage, RUN, ...args);
}

export async function runNode(
  { place, endpoint, database }: Stage,
  ...args: readonly string[]
): Promise<Ended> {
  using certificate = certificateFile(place.emulator?.certificate);
  const env = {
    ...process.env,
    COSMOSDB_ENDPOINT: endpoint.href,
    COSMOSDB_KEY: place.key ?? "",
    COSMOSDB_DATABASE: database,
    ...(certificate.file !== undefined && { NODE_EXTRA_CA_CERTS: certificate.file }),
  };
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, all] = ["", ""];
  child.stdout.on("data", (text) => {
    stdout += text;
    all += text;
  });
  child.stderr.on("data", (text) => {
    all += text;
  });
  const [exitCode] = await once(child, "close");
  return { exitCode, stdout, end: plain(all).trim().slice(-SHOWN) };
}

/** Writes the certificate of an endpoint of our own, which children must trust, into a file. */
function certificateFile(
  certificate: string | undefined,
): { readonly file: string | undefined } & Disposable {
  if (certificate === undefined) return { file: undefined, [Symbol.dispose]() {} };
  const folder = mkdtempSync(path.join(tmpdir(), "azure-check-"));
  const file = path.join(folder, "certificate.pem");
  writeFileSync(file, certificate);
  return { file, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

const ESCAPE = String.fromCharCode(27);

/** Removes the colours. */
function plain(text: string): string {
  return text.replaceAll(new RegExp(`${ESCAPE}\\[[0-9;]*m`, "g"), "");
}
