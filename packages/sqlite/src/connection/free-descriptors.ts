/** Whether this process may open as many more files as a database has. SQLite does not say that it may not. */
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { type DescriptorLack, lackOf } from "./sqlite-error.ts";

/** The database, its log and index, and our handles of the log. */
const FILES = 5;

/** The system's reason against it; `undefined` if there is none. */
export function lackOfDescriptors(): DescriptorLack | undefined {
  const opened: number[] = [];
  try {
    while (opened.length < FILES) opened.push(openSync(devNull, "r"));
    return undefined;
  } catch (error) {
    return lackOf(error);
  } finally {
    for (const each of opened) closeSync(each);
  }
}
