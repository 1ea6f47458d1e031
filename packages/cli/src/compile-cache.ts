/**
 * Compiled code is kept between starts. Node's own place for it is the folder for temporary files, where another user
 * of the machine may put a file before we do; what is read from there is executed. So it is a folder of the user's.
 */
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import path from "node:path";

/** A folder that cannot be written costs time and nothing else. */
export function keepCompiledCode(environment: Readonly<Record<string, string | undefined>>): void {
  // NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE are the user's word.
  if (environment["NODE_COMPILE_CACHE"] !== undefined) enableCompileCache();
  else enableCompileCache(path.join(cacheFolder(environment), "duroxide", "compiled"));
}

function cacheFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const { XDG_CACHE_HOME: named, LOCALAPPDATA: local } = environment;
  if (process.platform === "win32" && local) return local;
  // The specification of XDG ignores a relative path.
  return named && path.isAbsolute(named) ? named : path.join(homedir(), ".cache");
}
