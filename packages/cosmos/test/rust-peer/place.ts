/** The container that both sides share. */
import { Client, type Provider, rustTypedCodec } from "@duroxide-ts/core";
import { CosmosProvider } from "@duroxide-ts/cosmos";
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

/** Our side of such a container. */
export async function connectOn(
  emulator: CosmosEmulator,
  container: string,
): Promise<{ readonly place: Place; readonly provider: CosmosProvider; readonly client: Client }> {
  const place = placeOn(emulator, container);
  const provider = await CosmosProvider.connect(place);
  return { place, provider, client: clientAt(provider) };
}

/** Payloads have the bytes that Rust's typed calls write: each side replays what the other one has stored. */
export const CODEC = rustTypedCodec;

export function clientAt(provider: Provider): Client {
  return new Client(provider, { codec: CODEC });
}
