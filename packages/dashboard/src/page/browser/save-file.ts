/** Gives the user a file. */
import { after } from "./clock.ts";

/** The browser has begun to read the content by then. */
const KEPT_MS = 60_000;

export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  after(KEPT_MS, () => URL.revokeObjectURL(link.href));
}
