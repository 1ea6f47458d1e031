/** Locations in messages, from frames as V8 writes them. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { firstUserFrame } from "../../src/errors/source-location.ts";

const HERE = process.cwd();
const urlOf = (file: string): string => pathToFileURL(path.join(HERE, file)).href;

const PATHS: readonly (readonly [what: string, frame: string, location: string])[] = [
  ["a file below the working directory", urlOf("src/order.ts"), "src/order.ts"],
  ["a route group, whose folder has brackets", urlOf("app/(shop)/[id]/order.ts"), "app/(shop)/[id]/order.ts"],
  ["spaces and other letters", urlOf("bestellung #1 (kopie)/prüfen.ts"), "bestellung #1 (kopie)/prüfen.ts"],
  ["a module that was loaded again", `${urlOf("order.ts")}?t=1733000000#a`, "order.ts"],
  ["CommonJS", path.join(HERE, "(shop)", "order.cjs"), path.join("(shop)", "order.cjs")],
  [
    "a layer of a bundler",
    "webpack-internal:///(rsc)/./app/order.ts",
    "webpack-internal:///(rsc)/./app/order.ts",
  ],
  ["another drive", "D:\\shop (2)\\order.js", "D:\\shop (2)\\order.js"],
  [
    "an address of the network",
    "https://example.com/(a)/order.js?v=1",
    "https://example.com/(a)/order.js?v=1",
  ],
  ["a name that is no path", "order.js", "order.js"],
];

describe.each(PATHS)("%s", (_what, file, location) => {
  it.each([
    ["a function", `    at async pay (${file}:7:15)`],
    ["a method of another name", `    at Shop.<anonymous> [as pay (now)] (${file}:7:15)`],
    ["a function without a name", `    at ${file}:7:15`],
  ])("is named as it is, in a frame of %s", (_frame, frame) => {
    expect(firstUserFrame(`Error: no\n${frame}`)).toBe(`${location}:7:15`);
  });
});
