/**
 * The requests of a runtime to a store that fails, and its reports of it (the invariants store-health.S1 to
 * store-health.S4).
 */
import { describe, expect, it } from "vitest";
import { ProviderError } from "../../src/contract/provider-error.ts";
import type { StoreTrouble } from "../../src/runtime/options/runtime-options.ts";
import { StoreHealth } from "../../src/runtime/trouble/store-health.ts";
import { VirtualClock } from "../../src/testing/index.ts";

const busy = new ProviderError({ code: "unavailable", operation: "fetch", message: "busy" });
const refused = new ProviderError({ code: "internal", operation: "fetch", message: "401" });

function setUp(supervise: (trouble: StoreTrouble) => void = () => {}) {
  const clock = new VirtualClock(0);
  const stopping = new AbortController();
  const log: string[] = [];
  const troubles: StoreTrouble[] = [];
  const interrupted: number[] = [];
  const note =
    (level: string) =>
    (fields: Readonly<Record<string, unknown>>): void =>
      void log.push(`${clock.now()} ${level} ${String(fields["event"])}`);
  const health = new StoreHealth({
    clock,
    random: { next: () => 0, uuid: () => "" },
    logger: { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") },
    stopping: stopping.signal,
    onStoreTrouble: (trouble) => {
      troubles.push(trouble);
      supervise(trouble);
    },
    interruptFetches: () => interrupted.push(clock.now()),
  });
  /** A slot that asks until it is answered; when it asked, ms. */
  const slot = (queue: "orchestrations" | "activities", ask: () => Error | undefined): Promise<number[]> => {
    const askedAtMs: number[] = [];
    const loop = async (): Promise<number[]> => {
      for (;;) {
        await health.ready(queue);
        askedAtMs.push(clock.now());
        const error = ask();
        if (error === undefined) {
          health.succeeded(queue);
          return askedAtMs;
        }
        health.failed(queue, error);
      }
    };
    return loop();
  };
  return { clock, health, interrupted, log, slot, stopping, troubles };
}

describe("fetches that fail", () => {
  it("pause for longer each time, two seconds at most, and go on at the first success (store-health.S2)", async () => {
    const { clock, slot } = setUp();
    const asked = slot("activities", () => (clock.now() < 16_000 ? busy : undefined));
    await clock.advance(60_000);

    expect(await asked).toEqual([
      0, 200, 600, 1_400, 3_000, 5_000, 7_000, 9_000, 11_000, 13_000, 15_000, 17_000,
    ]);
  });

  it("of many slots are one probe at a time (store-health.S1)", async () => {
    const { clock, slot } = setUp();
    let asked = 0;
    const slots = Array.from({ length: 300 }, () =>
      slot("activities", () => {
        asked++;
        return clock.now() < 30_000 ? refused : undefined;
      }),
    );
    await clock.advance(20_000);
    // Each asks once, since all were under way together; then one at a time.
    expect(asked).toBeLessThan(300 + 20);
    await clock.advance(20_000);
    await Promise.all(slots);
  });

  it("end those that still wait in the store, once (store-health.S1)", async () => {
    const { clock, health, interrupted } = setUp();
    health.failed("activities", busy);
    await clock.advance(1_000);
    health.failed("activities", busy);
    health.failed("commits", busy);
    expect(interrupted).toEqual([0]);

    health.failed("orchestrations", busy);
    expect(interrupted).toEqual([0, 1_000]);
  });

  it("of one queue do not hold up the other", async () => {
    const { clock, health } = setUp();
    health.failed("activities", busy);
    let ready = false;
    void health.ready("orchestrations").then(() => {
      ready = true;
    });
    await clock.settle();

    expect(ready).toBe(true);
  });

  it("are probed without a long poll", async () => {
    const { clock, health } = setUp();
    expect(health.pollTimeoutMs("activities", 30_000)).toBe(30_000);
    health.failed("activities", busy);
    const ready = health.ready("activities");
    await clock.advance(1_000);
    await ready;

    expect(health.pollTimeoutMs("activities", 30_000)).toBe(0);
    health.succeeded("activities");
    expect(health.pollTimeoutMs("activities", 30_000)).toBe(30_000);
  });

  it("whose probe makes no call leave the probe to another slot", async () => {
    const { clock, health } = setUp();
    health.failed("activities", busy);
    const first = health.ready("activities");
    const second = health.ready("activities");
    await clock.advance(1_000);
    await first;
    health.release("activities");

    await second;
  });
});

describe("commits that fail", () => {
  it("hold up fetches from the second failure in a row (store-health.S4)", async () => {
    const { clock, health } = setUp();
    health.failed("commits", busy);
    await health.ready("orchestrations");
    await clock.advance(1_000);
    health.failed("commits", busy);
    let readyAtMs = 0;
    void health.ready("orchestrations").then(() => {
      readyAtMs = clock.now();
    });
    await clock.advance(10_000);

    expect(readyAtMs).toBe(1_400);
  });
});

describe("the log and the supervisor", () => {
  it("are logged when trouble begins, once a minute, and when it ends (store-health.S3)", async () => {
    const { clock, log, slot } = setUp();
    void slot("activities", () => (clock.now() < 150_000 ? busy : undefined));
    await clock.advance(200_000);

    expect(log.map((entry) => entry.replace(/^\d+ /, ""))).toEqual([
      "warn store_trouble",
      "warn store_trouble",
      "warn store_trouble",
      "info store_recovered",
    ]);
  });

  it("are logged as permanent as soon as they are", async () => {
    const { clock, health, log, troubles } = setUp();
    health.failed("activities", busy);
    await clock.advance(1_000);
    health.failed("activities", refused);
    health.failed("orchestrations", refused);

    expect(log).toEqual(["0 warn store_trouble", "1000 error store_trouble"]);
    expect(troubles).toMatchObject([
      { permanent: false, sinceMs: 0 },
      { permanent: true, sinceMs: 0, error: refused },
    ]);
  });

  it("are not logged for a provider that was closed while the runtime stops", () => {
    const { health, log, stopping } = setUp();
    stopping.abort();
    health.failed("activities", new ProviderError({ code: "closed", operation: "fetch", message: "closed" }));

    expect(log).toEqual([]);
  });
});
