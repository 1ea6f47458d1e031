/**
 * `statSync` of `node:fs`, as far as the SQLite provider looks whether its file is still there. The import of
 * `node:fs` in its database-file.ts leads here (redirect.ts).
 */
import { simulatedFiles } from "./engine.ts";

interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

export function statSync(path: string): Identity | undefined {
  const id = simulatedFiles().identityOf(path);
  return id === undefined ? undefined : { dev: 0n, ino: BigInt(id) };
}
