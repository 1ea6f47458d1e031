/** Parameters that are true or false. */
import { Refused } from "@duroxide-ts/core/web";

/** `absent` without the parameter. Refused for anything but "true" and "false": `?follow=no` would do the opposite. */
export function flagOf({ searchParams }: URL, name: string, absent: boolean): boolean {
  const text = searchParams.get(name) ?? String(absent);
  if (text === "true" || text === "false") return text === "true";
  throw new Refused(400, "invalid-input", `${name} must be true or false`);
}
