/** The behaviour checklist is answered line by line, and every test that an answer names is there. */
import { expect, it } from "vitest";
import { exists, read } from "../tidy/repository.ts";
import { type Answer, checklist } from "./checklist.ts";

const PAGE = "docs/reference/upstream/upstream-behaviours.md";

/** The first name of each line below the first section heading that says something. */
function linesOfThePage(): readonly string[] {
  const [, ...sections] = read(PAGE).split(/^## /m);
  return sections
    .flatMap((section) => section.split("\n").slice(1))
    .filter((line) => /^- |: |;/.test(line))
    .flatMap((line) => /[a-z0-9]+(?:_[a-z0-9]+)+/.exec(line)?.[0] ?? []);
}

/** `race: name` and `core/replay/turn: name` as a file and a name. */
function locate(test: string): { readonly file: string; readonly name: string } {
  const [, file = "", name = ""] = /^([^:]+): (.+)$/s.exec(test) ?? [];
  const path = file.startsWith("core/") ? `packages/core/test/${file.slice(5)}` : `test/e2e/${file}`;
  return { file: `${path}.test.ts`, name };
}

function isThere(test: string): boolean {
  const { file, name } = locate(test);
  return exists(file) && read(file).includes(JSON.stringify(name));
}

function testsOf(answer: Answer): readonly string[] {
  if (typeof answer === "string") return [answer];
  if ("because" in answer) return [];
  return "tests" in answer ? answer.tests : answer;
}

it("answers every line of the page, and no other", () => {
  expect(Object.keys(checklist)).toEqual(linesOfThePage());
});

it("gives a test or a reason for each", () => {
  const isAnswered = (answer: Answer): boolean =>
    typeof answer === "object" && "because" in answer ? answer.because !== "" : testsOf(answer).length > 0;
  expect(Object.entries(checklist).filter(([, answer]) => !isAnswered(answer))).toEqual([]);
});

it("names tests that exist", () => {
  const named = Object.values(checklist).flatMap(testsOf);
  expect(named.filter((test) => !isThere(test))).toEqual([]);
});
