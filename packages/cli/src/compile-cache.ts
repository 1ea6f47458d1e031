/**
 * Compiled code is kept between starts. Node's own place for it is the folder for temporary files, where another user
 * of the machine may put a file before we do; what is read from there is executed. So it is a folder of the user's.
 */
import { enableCompileCache } from "node:module";
import path from "node:path";
import { userFolder } from "./user-folder.ts";

/** A folder that cannot be written costs time and nothing else. */
export function keepCompiledCode(environment: Readonly<Record<string, string | undefined>>): void {
  // The user may choose the folder by NODE_COMPILE_CACHE. Node itself obeys NODE_DISABLE_COMPILE_CACHE.
  if (environment["NODE_COMPILE_CACHE"] !== undefined) enableCompileCache();
  else enableCompileCache(path.join(userFolder(environment, "cache"), "compiled"));
}
