/** The endpoint's own certificate for HTTPS: for the names of this machine, signed by itself. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";

export interface Certificate {
  /** Certificate, PEM. Clients that are to trust the endpoint import it. */
  readonly certificate: string;
  /** Private key, PEM. */
  readonly privateKey: string;
}

const VALID_DAYS = 825;
const DAY_MS = 86_400_000;

/**
 * Makes a certificate for loopback and `names`. With `file` it is made once and read back from there ever after, so
 * that it needs to be trusted only once; deleting the file makes a new one.
 */
export async function ownCertificate(options: {
  /** Names, and addresses without brackets. */
  readonly names: readonly string[];
  readonly nowMs: number;
  readonly file: string | undefined;
}): Promise<Certificate> {
  const { names, nowMs, file } = options;
  if (file === undefined) return generate(names, nowMs);
  const stored = await readStored(file);
  if (stored !== undefined) return stored;
  const made = await generate(names, nowMs);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, made.certificate + made.privateKey, { mode: 0o600 });
  return made;
}

async function readStored(file: string): Promise<Certificate | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const certificate = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\n?/s.exec(text)?.[0];
  const privateKey =
    /-----BEGIN (?:RSA |EC )?PRIVATE KEY-----.+?-----END (?:RSA |EC )?PRIVATE KEY-----\n?/s.exec(text)?.[0];
  if (certificate === undefined || privateKey === undefined) {
    throw new Error(`${file} holds no certificate with its private key: delete it, and a new one is made.`);
  }
  return { certificate, privateKey };
}

/** Generates a certificate. The library is loaded only where HTTPS is wanted: most starts do without it. */
async function generate(given: readonly string[], nowMs: number): Promise<Certificate> {
  const { generate: selfSign } = await import("selfsigned");
  const names = new Set(["localhost", "127.0.0.1", "::1", ...given]);
  const made = await selfSign([{ name: "commonName", value: "localhost" }], {
    algorithm: "sha256",
    keyType: "ec",
    curve: "P-256",
    notBeforeDate: new Date(nowMs - DAY_MS),
    notAfterDate: new Date(nowMs + VALID_DAYS * DAY_MS),
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames: [...names].map(alternativeName) },
    ],
  });
  return { certificate: withNewline(made.cert), privateKey: withNewline(made.private) };
}

function withNewline(pem: string): string {
  return `${pem.trim()}\n`;
}

function alternativeName(name: string): { type: 7; ip: string } | { type: 2; value: string } {
  return isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name };
}
