/** The handler that a name and a version lead to. */
import { describe, expect, it } from "vitest";
import { activity, orchestration } from "../../src/define/definitions.ts";
import { ActivityRegistry, OrchestrationRegistry } from "../../src/runtime/registry.ts";

const NAMES = ["constructor", "toString", "hasOwnProperty", "__proto__", "valueOf"];

describe("a name that every object has", () => {
  it.each(NAMES)("is a name like any other: %s", (name) => {
    const older = orchestration(name, async () => {});
    const newer = orchestration(name, { version: "2.0.0" }, async () => {});
    const handler = activity(name, async () => {});
    const registry = new OrchestrationRegistry([older, newer]);
    expect(registry.resolve(name, null)).toBe(newer);
    expect(registry.resolve(name, "1.0.0")).toBe(older);
    expect(new ActivityRegistry([handler]).get(name)).toBe(handler);

    const policies = Object.fromEntries([[name, { exact: "1.0.0" }]]);
    expect(new OrchestrationRegistry([older, newer], policies).resolve(name, null)).toBe(older);
  });

  it.each(NAMES)("is not registered unless the program registers it: %s", (name) => {
    expect(new OrchestrationRegistry([]).resolve(name, null)).toBeUndefined();
    expect(new ActivityRegistry([]).get(name)).toBeUndefined();
  });
});
