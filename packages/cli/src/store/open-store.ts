/**
 * Opens the store of a command. Reading verbs open SQLite for reading, so that they take no locks and change nothing.
 * No verb creates a store, except those that ask for it.
 */
import path from "node:path";
import {
  type AnyClient,
  Client,
  type Logger,
  type PayloadCodec,
  type Provider,
} from "@duroxide-ts/core/client";
import { usage } from "../errors/exit-code.ts";
import type { Config } from "./config.ts";
import { parseStoreName, type StoreAccess, type StoreName } from "./store-name.ts";

/** An open store, with a client for it. */
export interface OpenStore {
  readonly kind: StoreName["kind"] | "other";
  /** The same for every call that names this store. */
  readonly identity: string;
  /** The file of a SQLite store. */
  readonly file?: string;
  /** ProviderError (`unsupported`) over HTTP. */
  readonly provider: Provider;
  readonly client: AnyClient;
  readonly codec: PayloadCodec | undefined;
  close(): Promise<void>;
}

/** The name of the store, and what opening it needs. */
export interface StoreSource {
  /** Value of `--store`. */
  readonly named: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly config: Config;
  /** Gets the warnings of the store. */
  readonly logger: Logger;
}

/** Throws a `CommandError` if no store is named; rejects with the provider's error if it cannot be opened. */
export async function openStore(source: StoreSource, access: StoreAccess): Promise<OpenStore> {
  const { named, environment, config, logger } = source;
  const text = named ?? environment["DUROXIDE_STORE"]?.trim();
  if (text !== undefined) return openNamed(parseStoreName(text), source, access);
  const given = typeof config.provider === "function" ? config.provider() : config.provider;
  if (given === undefined) throw noStore();
  if (typeof given === "string") {
    // A relative path in the configuration is one from its folder.
    const folder = config.file === undefined ? source.folder : path.dirname(config.file);
    return openNamed(parseStoreName(given), { ...source, folder }, access);
  }
  const identity = config.file ?? "";
  return withClient({ kind: "other", identity, provider: await given }, config, logger);
}

async function openNamed(name: StoreName, source: StoreSource, access: StoreAccess): Promise<OpenStore> {
  const { config, logger, environment, folder } = source;
  if (name.kind === "sqlite") {
    const { openSqlite } = await import("./open-sqlite.ts");
    const { provider, file } = await openSqlite(name.file, folder, access, logger);
    return withClient({ kind: "sqlite", identity: file, file, provider }, config, logger);
  }
  if (name.kind === "http") {
    const { openHttp, needsStore } = await import("./open-http.ts");
    const client = openHttp(name.address, environment);
    return {
      kind: "http",
      identity: name.address,
      client,
      // The server decodes payloads.
      codec: undefined,
      get provider(): Provider {
        throw needsStore();
      },
      close: async () => {},
    };
  }
  const { openCosmos } = await import("./open-cosmos.ts");
  const provider = await openCosmos(name, environment, access, logger);
  const identity = `${name.endpoint}/${name.database}/${name.container}`;
  return withClient({ kind: "cosmos", identity, provider }, config, logger);
}

function withClient(
  opened: Pick<OpenStore, "kind" | "identity" | "provider" | "file">,
  { codec }: Config,
  logger: Logger,
): OpenStore {
  const { provider } = opened;
  const client = new Client(provider, { logger, ...(codec !== undefined && { codec }) });
  return { ...opened, client, codec, close: async () => provider[Symbol.asyncDispose]() };
}

function noStore(): Error {
  return usage(
    "No store is named",
    "--store sqlite:orders.db, cosmos:https://ACCOUNT/DATABASE/CONTAINER, or https://SERVER/PATH; or DUROXIDE_STORE; or duroxide.config.ts",
  );
}
