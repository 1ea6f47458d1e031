/** Paths of patches: JSON pointers (`/a/b/0`, `/list/-`), `~1` for a slash and `~0` for a tilde in a name. */
import { invalidPatch } from "./parse-patch.ts";

/** The steps from the root, at least one; 400 if the path is malformed. */
export function parsePatchPath(path: string): readonly string[] {
  if (!path.startsWith("/") || path === "/") {
    throw invalidPatch(`the path ${JSON.stringify(path)} must begin with a slash and name a property`);
  }
  return path
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The place of a step in a list with `length` elements; undefined if it is no index. `-` is the place after the last. */
export function listIndex(step: string, length: number): number | undefined {
  if (step === "-") return length;
  return /^(?:0|[1-9]\d{0,8})$/.test(step) ? Number(step) : undefined;
}
