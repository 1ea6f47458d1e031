/** The tab "Code" of an instance says what to do about each reason for which work is blocked. */
import type { Blocked } from "@duroxide-ts/core";
import { expect, it } from "vitest";
import { BLOCK_ADVICE } from "../src/page/screens/instance/block-advice.ts";

/** A record, so that a reason that is added to the type and not here does not compile. */
const REASONS = {
  nondeterminism: true,
  defect: true,
  "missing-orchestration": true,
  "missing-activity": true,
  store: true,
  attempts: true,
  "unserved-tag": true,
} satisfies Readonly<Record<Blocked["reason"], true>>;

it("every reason has advice", () => {
  expect(Object.keys(BLOCK_ADVICE).sort()).toEqual(Object.keys(REASONS).sort());
});
