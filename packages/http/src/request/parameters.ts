/** Parameters of an address that are true or false, or a number. */
import { Refused } from "@duroxide-ts/core/web";

/** `absent` without the parameter. Refused for anything but "true" and "false": `?follow=no` would do the opposite. */
export function flagOf({ searchParams }: URL, name: string, absent: boolean): boolean {
  const text = searchParams.get(name) ?? String(absent);
  if (text === "true" || text === "false") return text === "true";
  throw new Refused(400, "invalid-input", `${name} must be true or false`);
}

/** `undefined` without the parameter. Refused for anything but a whole number from `least` on. */
export function wholeNumberOf({ searchParams }: URL, name: string, least: number): number | undefined {
  const text = searchParams.get(name);
  if (text === null) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number;
  throw new Refused(400, "invalid-input", `${name} must be a whole number from ${least}`);
}
