/**
 * Compiled code is kept between starts. Node's own place for it is the folder for temporary files, where another user
 * of the machine may put a file before we do; what is read from there is executed. So it is a folder of the user's.
 */
// By its default export: Node 20 lacks the function, and has to come as far as the sentence that names the version.
import module from "node:module";
import path from "node:path";
import { userFolder } from "./user-folder.ts";

/** A folder that cannot be written costs time and nothing else. */
export function keepCompiledCode(environment: Readonly<Record<string, string | undefined>>): void {
  // The user may choose the folder by NODE_COMPILE_CACHE. Node itself obeys NODE_DISABLE_COMPILE_CACHE.
  if (environment["NODE_COMPILE_CACHE"] !== undefined) module.enableCompileCache?.();
  else module.enableCompileCache?.(path.join(userFolder(environment, "cache"), "compiled"));
}
