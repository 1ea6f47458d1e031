/** The container that both sides share. */
import { Client, type Provider, rustTypedCodec } from "@duroxide-ts/core";
import type { CosmosEmulator } from "@duroxide-ts/cosmos-emulator";

export interface Place {
  readonly endpoint: string;
  readonly key: string;
  readonly database: string;
  readonly container: string;
}

/** A container that no other test uses. */
export function placeOn({ endpoint, key }: CosmosEmulator, container: string): Place {
  return { endpoint, key, database: "shared", container };
}

/** Payloads have the bytes that Rust's typed calls write: each side replays what the other one has stored. */
export const CODEC = rustTypedCodec;

export function clientAt(provider: Provider): Client {
  return new Client(provider, { codec: CODEC });
}
