/** Replaced properties come back, also where other code had replaced them again (replace.RP1, replace.RP2). */
import { describe, expect, it } from "vitest";
import { canReplace, replace } from "../../src/guard/replace.ts";

const original = (): string => "original";
const ours = (): string => "ours";
const fake = (): string => "fake";

/** `key` is the target's own, or that of its prototype. */
const TARGETS = {
  own: () => ({ now: original }),
  inherited: () => Object.create({ now: original }) as { now: typeof original },
};

describe.each(Object.entries(TARGETS))("an %s property", (kind, make) => {
  it("is as before after its use", () => {
    const target = make();
    const undo = replace(target, "now", ours);
    expect(target.now).toBe(ours);
    undo();
    expect(target.now).toBe(original);
    expect(Object.hasOwn(target, "now")).toBe(kind === "own");
  });

  it("keeps a fake, until the fake is removed by an assignment", () => {
    const target = make();
    const undo = replace(target, "now", ours);
    const found = target.now;
    target.now = fake;
    undo();
    expect(target.now).toBe(fake);
    const another = (): string => "another fake";
    target.now = another;
    expect(target.now).toBe(another);
    target.now = found;
    expect(Object.getOwnPropertyDescriptor(target, "now")?.value).toBe(kind === "own" ? original : undefined);
    expect(target.now).toBe(original);
  });

  it("keeps a fake, until the fake is removed by a descriptor", async () => {
    const target = make();
    const undo = replace(target, "now", ours);
    const found = Object.getOwnPropertyDescriptor(target, "now") ?? {};
    Object.defineProperty(target, "now", { ...found, value: fake });
    undo();
    expect(target.now).toBe(fake);
    Object.defineProperty(target, "now", found);
    await expect.poll(() => target.now).toBe(original);
  });
});

it("says what cannot be replaced", () => {
  expect(canReplace(Object.freeze({ now: original }), "now")).toBe(false);
  expect(canReplace(Object.freeze({}), "now")).toBe(false);
  expect(canReplace({ now: original }, "now")).toBe(true);
  expect(canReplace({}, "now")).toBe(true);
});
