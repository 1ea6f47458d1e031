/** The order and the length of README.md, for a stranger who meets it first. */
import { expect, it } from "vitest";
import { read } from "../tidy/repository.ts";

const README = read("README.md");

it("README.md fits on a few screens, and says what it is about in the word that people search for", () => {
  expect(README.trimEnd().split("\n").length).toBeLessThan(120);
  expect(README.split("\n").slice(0, 4).join("\n")).toContain("workflow");
});

it("README.md has the program first, then the choice among others, and the figures last", () => {
  const order = ["```ts\n", "npm install", "killed-process.svg", "## Which one should I take?", "## Figures"];
  const places = order.map((text) => README.indexOf(text));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(README.lastIndexOf("\n## ")).toBe(README.indexOf("\n## Figures"));
});
