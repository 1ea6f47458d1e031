/** The folders of the user in which the command keeps files between calls. */
import { homedir } from "node:os";
import path from "node:path";

interface Kind {
  /** The variable that names the parent folder (XDG Base Directory Specification). */
  readonly variable: "XDG_CACHE_HOME" | "XDG_STATE_HOME";
  /** The parent folder below the user's home if the variable is not set. */
  readonly home: string;
  /** The folder below `%LOCALAPPDATA%\duroxide`. */
  readonly windows: string;
}

const KINDS = {
  cache: { variable: "XDG_CACHE_HOME", home: ".cache", windows: "" },
  state: { variable: "XDG_STATE_HOME", home: path.join(".local", "state"), windows: "state" },
} as const satisfies Record<string, Kind>;

/** The specification ignores a relative path in its variables. */
export function userFolder(
  environment: Readonly<Record<string, string | undefined>>,
  kind: keyof typeof KINDS,
): string {
  const { variable, home, windows }: Kind = KINDS[kind];
  const local = environment["LOCALAPPDATA"];
  if (process.platform === "win32" && local) return path.join(local, "duroxide", windows);
  const named = environment[variable];
  const parent = named && path.isAbsolute(named) ? named : path.join(homedir(), home);
  return path.join(parent, "duroxide");
}
