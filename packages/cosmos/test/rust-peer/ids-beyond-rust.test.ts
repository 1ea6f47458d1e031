/** Tests what a Rust worker does beside instances whose ids it cannot use (`isForRust` of src/documents/ids.ts). */
import { CosmosProvider } from "@duroxide-ts/cosmos";
import { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";
import { beforeAll, describe, expect, it } from "vitest";
import { OurWorker } from "./our-worker.ts";
import { clientAt, placeOn } from "./place.ts";
import * as programs from "./programs.ts";
import { RustWorker, withoutRust } from "./rust-peer.ts";
import { documentsOf, whatIsWrong } from "./stored.ts";

const LONG = { timeout: 900_000 };

const OURS = { orchestrations: programs.orchestrations, activities: programs.activities };

describe.skipIf(withoutRust())("a Rust worker", () => {
  let emulator: CosmosEmulator;
  let containers = 0;
  beforeAll(async () => {
    emulator = await CosmosEmulator.start({ port: 0 });
    return () => emulator[Symbol.asyncDispose]();
  });

  const ids = ["tenant/42", "a\\b", "a?b", "a#b", 'a"b', "a\tb", "a\nb", "a\u0001b", "a\u007fb"];

  it.each(ids)("goes on beside %j, which waits for us and is served by us", async (id) => {
    const place = placeOn(emulator, `ids-${containers++}`);
    await using provider = await CosmosProvider.connect(place);
    const client = clientAt(provider);
    const ours = await client.start(programs.relay, { instanceId: id, input: "you" });
    await using _rust = await RustWorker.serve(place);
    const plain = await client.start(programs.relay, { instanceId: "plain", input: "you" });

    expect(await plain.result(LONG)).toEqual(["Hello, you, from Rust", "Hello, you, from Rust"]);
    expect((await documentsOf(place)).filter((each) => each["instanceId"] === id)).toHaveLength(1);

    await using _ours = await OurWorker.serve(place, OURS);
    expect(await ours.result(LONG)).toEqual(["Hello, you, from TypeScript", "Hello, you, from TypeScript"]);
    expect(await whatIsWrong(place)).toEqual([]);
  });
});
