/** A run in virtual time comes to an end. */
import { describe, expect, it } from "vitest";
import type { World } from "../world/world.ts";
import { newWorld } from "./new-world.ts";

/** Again and again at the same instant. */
function repeatForEver(world: World, step: () => void): void {
  world.schedule(0, undefined, "again", () => {
    step();
    repeatForEver(world, step);
  });
}

describe("a run fails", () => {
  it("where time stands still and steps go on", async () => {
    const world = newWorld();
    repeatForEver(world, () => {});
    await expect(world.run(1)).rejects.toThrow("more than 100000 steps");
  });

  it("where the same large requests are sent for ever", async () => {
    const world = newWorld();
    const body = "x".repeat(100_000_000);
    repeatForEver(world, () => world.trace.add("POST", body));
    await expect(world.run(1)).rejects.toThrow("more than 800000000 characters");
  });
});

describe("what was cancelled", () => {
  it("does not happen", async () => {
    const world = newWorld();
    const happened: string[] = [];
    const cancel = world.schedule(1, undefined, "first", () => happened.push("first"));
    world.schedule(1, undefined, "second", () => happened.push("second"));
    cancel();
    await world.run(2);
    expect(happened).toEqual(["second"]);
  });
});
