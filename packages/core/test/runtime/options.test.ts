/** Starting a runtime: what cannot work is refused at once, with a name and a reason. */
import { describe, expect, it } from "vitest";
import type { Provider } from "../../src/contract/provider.ts";
import { activity, orchestration } from "../../src/define/definitions.ts";
import { ConfigurationError } from "../../src/errors/duroxide-error.ts";
import { resolveOptions } from "../../src/runtime/options/options.ts";
import type { RuntimeOptions } from "../../src/runtime/options/runtime-options.ts";
import { ActivityRegistry, OrchestrationRegistry } from "../../src/runtime/registry.ts";
import { Runtime } from "../../src/runtime/runtime.ts";

const provider = { fetchOrchestrationItem: async () => undefined } as unknown as Provider;
const job = (version: string) => orchestration("job", { version }, async () => version);

describe("the options of a runtime", () => {
  it("have defaults", () => {
    expect(resolveOptions({ provider })).toMatchObject({
      maxAttempts: 10,
      orchestratorLockTimeoutMs: 5_000,
      workerLockTimeoutMs: 30_000,
      longPollTimeoutMs: 30_000,
      sessionLockTimeoutMs: 30_000,
      sessionIdleTimeoutMs: 300_000,
      workerTagFilter: { kind: "default-only" },
    });
  });

  it("that are undefined count as left out", () => {
    const options = { provider, maxAttempts: undefined } as unknown as RuntimeOptions;

    expect(resolveOptions(options).maxAttempts).toBe(10);
  });

  const wrong: readonly Partial<RuntimeOptions>[] = [
    { orchestrationConcurrency: 0, workerConcurrency: 0 },
    { orchestrationConcurrency: -1 },
    { workerConcurrency: 1.5 },
    { workerLockTimeoutMs: Number.NaN },
    { orchestratorLockTimeoutMs: -5 },
    { workerLockTimeoutMs: 0 },
    { longPollTimeoutMs: Number.POSITIVE_INFINITY },
    { maxAttempts: 0 },
    { liveExecutions: -1 },
    { liveExecutions: "many" as unknown as number },
    { sessionIdleTimeoutMs: 15_000 },
    { workerTagFilter: { kind: "tags", tags: [] } },
    { workerTagFilter: { kind: "default-and", tags: ["1", "2", "3", "4", "5", "6"] } },
    { workerTagFilter: { kind: "tags", tags: ["x".repeat(257)] } },
  ];

  it.each(wrong)("must make sense: %j", (options) => {
    expect(() => resolveOptions({ provider, ...options })).toThrow(ConfigurationError);
  });

  const right: readonly Partial<RuntimeOptions>[] = [
    { orchestrationConcurrency: 0 },
    { workerConcurrency: 0 },
    { liveExecutions: 0 },
    { workerTagFilter: { kind: "tags", tags: ["1", "2", "3", "4", "5"] } },
  ];

  it.each(right)("may be at their ends: %j", (options) => {
    expect(() => resolveOptions({ provider, ...options })).not.toThrow();
  });

  it("need at least one handler", async () => {
    await expect(Runtime.start({ provider })).rejects.toThrow(ConfigurationError);
  });
});

describe("a registry", () => {
  it("refuses two handlers of one name and version", () => {
    const echo = activity("echo", async () => {});
    expect(() => new ActivityRegistry([echo, echo.mock(async () => {})])).toThrow(/registered twice/);
    expect(() => new OrchestrationRegistry([job("1.0.0"), job("1.0.0")])).toThrow(/registered twice/);
  });

  it("orders versions by number, releases after their candidates", () => {
    const registry = new OrchestrationRegistry(["2.0.0", "10.0.0-rc.1", "1.0.0"].map(job));
    expect(registry.resolve("job", null)?.version).toBe("10.0.0-rc.1");
    expect(new OrchestrationRegistry([job("10.0.0"), job("10.0.0-rc.1")]).resolve("job", null)?.version).toBe(
      "10.0.0",
    );
  });

  it("finds an exact version, and nothing for a missing or malformed one", () => {
    const registry = new OrchestrationRegistry([job("1.0.0"), job("2.0.0")]);
    expect(registry.resolve("job", "1.0.0")?.version).toBe("1.0.0");
    for (const version of ["3.0.0", "one", ""]) expect(registry.resolve("job", version)).toBeUndefined();
    expect(registry.resolve("other", null)).toBeUndefined();
  });

  it("follows the policy, which must name a registered version", () => {
    const definitions = [job("1.0.0"), job("2.0.0")];
    const pinned = new OrchestrationRegistry(definitions, { job: { exact: "1.0.0" } });
    expect(pinned.resolve("job", null)?.version).toBe("1.0.0");
    expect(pinned.resolve("job", "2.0.0")?.version).toBe("2.0.0");
    expect(() => new OrchestrationRegistry(definitions, { job: { exact: "9.0.0" } })).toThrow(
      ConfigurationError,
    );
    expect(() => new OrchestrationRegistry(definitions, { typo: "latest" })).toThrow(ConfigurationError);
  });
});
