/** docs/guide/15-encryption-and-offloading.md */
import { equal, match } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { activity, Client, orchestration, Runtime } from "@duroxide-ts/core";
import { encryptedCodec } from "@duroxide-ts/core/codecs";
import { fileBlobStore, withOffload } from "@duroxide-ts/core/offload";
import { SqliteProvider } from "@duroxide-ts/sqlite";
import { onStage } from "./stage.ts";

const key2026 = randomBytes(32);
const key2025 = randomBytes(32);

// #region encryption
const encrypted = encryptedCodec({
  keys: [
    { id: "2026", key: key2026 }, // encrypts: 32 random bytes, from where your secrets are
    { id: "2025", key: key2025 }, // still decrypts
  ],
  compress: { aboveBytes: 10_000 },
});
// #endregion

const measure = activity("measure", async (_ctx, text: string) => text.length);
const measures = orchestration("measures", async (ctx, text: string) => ctx.scheduleActivity(measure, text));
const program = { orchestrations: [measures], activities: [measure] };

await onStage({ ...program, codec: encrypted }, async (stage) => {
  equal(await stage.finish(await stage.client.start(measures, { input: "secret" })), 6);
  match(encrypted.encode("secret"), /^duroxide-enc1\.2026\.n\./);
});

const folder = await mkdtemp(path.join(tmpdir(), "duroxide-guide-"));

// #region offload
async function measureFilm(film: string): Promise<number> {
  await using sqlite = await SqliteProvider.open(path.join(folder, "films.db"));
  const provider = withOffload(sqlite, { store: fileBlobStore(path.join(folder, "blobs")) });
  const maxPayloadBytes = 50_000_000; // of what the codec writes
  await using _runtime = await Runtime.start({ provider, ...program, maxPayloadBytes });
  const client = new Client(provider, { maxPayloadBytes });
  return await (await client.start(measures, { input: film })).result();
}
// #endregion

equal(await measureFilm("frame".repeat(1_000_000)), 5_000_000);
await rm(folder, { recursive: true, force: true });
