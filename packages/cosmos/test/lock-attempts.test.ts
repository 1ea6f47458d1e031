/** Two fetches of one process that meet at the same work (docs/reference/provider-contract.md §6, §10). */
import {
  activity,
  createInstance,
  fetchOrchestration,
  fetchWork,
  raised,
  semver,
  versions,
} from "@duroxide-ts/provider-tests/building-blocks";
import { describe, expect, it } from "vitest";
import { LOCK_MS } from "./support/stage.ts";
import { useStage } from "./support/use-stage.ts";

const stage = useStage("lock-attempts");

const WAIT_MS = 60_000;
const supportedVersions = versions("1.0.0", "1.9.0");

/** The second fetch runs while the first one has read what it tries to lock, and does not know it yet. */
async function whileReading<First, Second>(
  label: RegExp,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<{ readonly first: First; readonly second: Promise<Second> }> {
  let met: Promise<Second> | undefined;
  stage.trap.meanwhile(label, async () => {
    met = second();
    await stage.trap.idle();
  });
  const result = await first();
  if (met === undefined) throw new Error(`the first fetch did not request ${label}`);
  return { first: result, second: met };
}

// lock-attempts.LA2
describe("an instance whose version the first fetch does not support", () => {
  const READ = /^query \["old"\]/;

  async function poke(): Promise<void> {
    await createInstance(stage, "old", { metadata: { pinnedVersion: semver("3.1.0") } });
    const another = await stage.openAnother();
    await another.provider.enqueueForOrchestrator(raised("old", "poke"));
  }

  it("goes to a second fetch that met its attempt and does not wait", async () => {
    await poke();
    const { first, second } = await whileReading(
      READ,
      () => fetchOrchestration(stage, { supportedVersions }),
      () => fetchOrchestration(stage),
    );
    expect(first).toBeUndefined();
    expect(await second).toMatchObject({ item: { instanceId: "old" } });
  });

  it("goes to a second fetch that met its attempt and waits, without another look", async () => {
    await poke();
    const { first, second } = await whileReading(
      READ,
      () => fetchOrchestration(stage, { supportedVersions }),
      () => fetchOrchestration(stage, { pollTimeoutMs: WAIT_MS }),
    );
    expect(first).toBeUndefined();
    // The clock stands still: no later poll has found it.
    expect(await second).toMatchObject({ item: { instanceId: "old" } });
  });
});

// lock-attempts.LA2
it("an activity of a session goes to its owner, whose fetch met the attempt of another worker", async () => {
  const me = { ownerId: "me", lockTimeoutMs: LOCK_MS };
  const another = await stage.openAnother();
  await another.provider.enqueueForWorker(activity("a", 1, { session_id: "s" }));
  const mine = { provider: another.provider, lockMs: LOCK_MS };
  expect(await fetchWork(mine, { session: me })).toMatchObject({ item: { id: 1 } });
  await mine.provider.enqueueForWorker(activity("a", 2, { session_id: "s" }));
  const { first, second } = await whileReading(
    /^GET docs/,
    () => fetchWork(stage, { session: { ownerId: "you", lockTimeoutMs: LOCK_MS } }),
    () => fetchWork(stage, { session: me }),
  );
  expect(first).toBeUndefined();
  expect(await second).toMatchObject({ item: { id: 2 } });
});
