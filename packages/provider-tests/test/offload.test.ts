/**
 * The behaviours of the contract with every payload in a blob store: callers must see no difference (with-offload.WO1).
 */
import { type BlobStore, withOffload } from "@duroxide-ts/core/offload";
import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { casesOfVariant } from "../../../test/support/kit-cases.ts";
import { memory } from "./support/memory.ts";

/** Sizes are those of what is stored, so they are smaller here. */
const OF_SIZES = /stats_kv|^sizes leave out|^stats count the current execution/;

/** A part by the seed. Random calls do not find more here: every statement is that of the provider below. */
const cases = casesOfVariant().filter(({ group, name }) => group !== "model" && !OF_SIZES.test(name));

function blobsInMemory(): BlobStore {
  const blobs = new Map<string, Uint8Array>();
  return {
    put: async (key, content) => void blobs.set(key, content),
    get: async (key) => blobs.get(key),
  };
}

validateProvider(
  {
    ...memory,
    name: "memory, with all payloads as blobs",
    async open(options) {
      const opened = await memory.open(options);
      const { clock } = options;
      const provider = withOffload(opened.provider, { store: blobsInMemory(), aboveBytes: 0, clock });
      return { ...opened, provider };
    },
  },
  cases,
);
