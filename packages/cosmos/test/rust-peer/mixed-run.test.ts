/**
 * A hundred orchestrations that both sides serve: the side that comes first does a turn or an activity. In the end
 * every one has its result, and what is stored is as if there had been one side only.
 */
import { isDeepStrictEqual } from "node:util";
import { type Client, rustTypedCodec, sleep, systemClock } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { describe, expect, it } from "vitest";
import { NOTES_FIELD } from "../../src/documents/body.ts";
import { LEASE_MS, OurWorker } from "./our-worker.ts";
import { clientAt, type Place, placeOn } from "./place.ts";
import { activities, MIXED_PROGRAMS, type MixedProgram, orchestrations } from "./programs.ts";
import { RustWorker, type RustWorkerOptions, rustClient, withoutRust } from "./rust-peer.ts";
import { documentsOf, whatIsWrong, withoutDeadLocks } from "./stored.ts";

const ORCHESTRATIONS = 100;

/** One in so many is started by Rust's client. */
const STARTED_BY_RUST = 5;

/** Few for us and the defaults of Rust, which takes several requests where we take one: so both get their share. */
const OURS = { orchestrationConcurrency: 4, workerConcurrency: 4 };
const RUST: RustWorkerOptions = { orchestrations: 2, activities: 4, leaseMs: LEASE_MS };

interface Started {
  readonly instanceId: string;
  readonly program: MixedProgram;
  readonly number: number;
}

async function startOne(place: Place, client: Client, number: number): Promise<Started> {
  const program = MIXED_PROGRAMS[number % MIXED_PROGRAMS.length];
  if (program === undefined) throw new Error("there are no programs");
  const instanceId = `${program.name}-${number}`;
  const input = program.input(number);
  if (number % STARTED_BY_RUST > 0) await client.start(program.name, { instanceId, input });
  else await rustClient(place, "start", program.name, instanceId, rustTypedCodec.encode(input));
  return { instanceId, program, number };
}

/** Waits for the end of one, and returns what is wrong with it. */
async function endOf(client: Client, { instanceId, program, number }: Started): Promise<readonly string[]> {
  const output = await client.handle(program.name, instanceId).result({ timeout: 900_000 });
  const isRight = program.results(number).some((result) => isDeepStrictEqual(result, output));
  return isRight ? [] : [`${instanceId} ended with ${JSON.stringify(output)}`];
}

describe.skipIf(withoutRust())("a hundred orchestrations that Rust and we serve together", () => {
  it("end right, with work for both", async () => {
    await using emulator = await CosmosEmulator.start({ port: 0 });
    const place = placeOn(emulator, "mixed");
    await using provider = await CosmosProvider.connect(place);
    const client = clientAt(provider);
    let ourRequests = 0;
    const onRequest = (): number => ourRequests++;
    await using _ours = await OurWorker.serve(place, { orchestrations, activities, ...OURS, onRequest });
    await using _rust = await RustWorker.serve(place, RUST);

    const started = await Promise.all(
      Array.from({ length: ORCHESTRATIONS }, (_, number) => startOne(place, client, number)),
    );
    const ends = await Promise.all(started.map((each) => endOf(client, each)));

    expect(ends.flat()).toEqual([]);
    const perOrchestration = ourRequests / ORCHESTRATIONS;
    expect(await whatIsWrong(place)).toEqual([]);
    const instances = (await documentsOf(place)).filter(({ type }) => type === "instance");
    const endedByUs = instances.filter((instance) => NOTES_FIELD in instance).length;
    process.stdout.write(
      `mixed run: we ended ${endedByUs} of ${instances.length} instances with ${perOrchestration} requests for each orchestration\n`,
    );
    expect(endedByUs).toBeGreaterThan(0);
    expect(endedByUs).toBeLessThan(instances.length);
  });

  it("end right while the Rust process is killed again and again", async () => {
    await using emulator = await CosmosEmulator.start({ port: 0 });
    const place = placeOn(emulator, "mixed");
    await using provider = await CosmosProvider.connect(place);
    const client = clientAt(provider);
    await using _ours = await OurWorker.serve(place, { orchestrations, activities, ...OURS });
    let isOver = false;
    const dying = (async () => {
      for (let deaths = 0; ; deaths++) {
        await using _rust = await RustWorker.serve(place, RUST);
        await sleep(systemClock, LIFE_MS);
        if (isOver) return deaths;
      }
    })();

    const started = await Promise.all(
      Array.from({ length: ORCHESTRATIONS }, (_, number) => startOne(place, client, number)),
    );
    const ends = await Promise.all(started.map((each) => endOf(client, each)));
    isOver = true;

    expect(await dying).toBeGreaterThan(1);
    expect(ends.flat()).toEqual([]);
    expect(await whatIsWrong(place, withoutDeadLocks)).toEqual([]);
  });
});

/** Lifetime of a Rust process, ms: long enough for some turns, short enough to die several times. */
const LIFE_MS = 1_500;
