/** Whether this process may open as many more files as a database has. SQLite does not say that it may not. */
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { systemCode } from "./sqlite-error.ts";

/** The database, its log and index, and our handles of the log. */
const FILES = 5;

/** The system's reason against it: `EMFILE`, for this process, or `ENFILE`, for the whole system. */
export function lackOfDescriptors(): "EMFILE" | "ENFILE" | undefined {
  const opened: number[] = [];
  try {
    while (opened.length < FILES) opened.push(openSync(devNull, "r"));
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    return code === "EMFILE" || code === "ENFILE" ? code : undefined;
  } finally {
    for (const each of opened) closeSync(each);
  }
}
