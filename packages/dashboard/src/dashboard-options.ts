/** The options of a dashboard, checked. */
import {
  type AnyOrchestration,
  Client,
  type Clock,
  ConfigurationError,
  jsonCodec,
  type Logger,
  type PayloadCodec,
  type Provider,
  systemClock,
} from "@duroxide-ts/core";
import {
  type OptionList,
  optionFault,
  optionList,
  RareWarnings,
  type RedactPayload,
  toLogger,
} from "@duroxide-ts/core/stores";
import { type AddressOptions, type Authorize, addressFault } from "@duroxide-ts/core/web";
import type { GuardSettings } from "./http/request-guard.ts";
import type { PrometheusMeter } from "./monitoring/prometheus-meter.ts";
import { Payloads } from "./payloads/payloads.ts";
import { Kept } from "./source/kept.ts";
import { KnownOrchestrations } from "./source/known-orchestrations.ts";
import { SharedOverview } from "./source/shared-overview.ts";
import type { Source } from "./source/source.ts";
import { keptUntilMs } from "./source/store-figures.ts";

/** Options of the store that a dashboard shows; shared by the embedded and the standalone one. */
export interface StoreOptions {
  /** The store. Either this or `client`. */
  readonly provider?: Provider;
  /** A client of the store; give its codec too, if it has one. */
  readonly client?: Client;
  /** The codec of the runtimes and clients of the store; JSON by default. */
  readonly codec?: PayloadCodec;
  /** Replaces parts of payloads, messages and reasons before they leave the server. Then no text of messages is searched. */
  readonly redact?: RedactPayload;
  /**
   * The code of orchestrations, as the runtime gets it. The page then offers a form for inputs whose schema has a JSON
   * form (Standard JSON Schema, as of zod 4.2), and a start checks its input by the schema.
   */
  readonly orchestrations?: readonly AnyOrchestration[];
  /** No user can act, whatever the role. */
  readonly readOnly?: boolean;
  /** The name of the store on the page, such as "Orders of the shop"; by default the file, or account, database and container. */
  readonly title?: string;
  /** The meter of the runtime of this process, for `/metrics`. */
  readonly meter?: PrometheusMeter;
  /** Gets an `info` entry for each action, with the user and the reason. The default writes warnings and errors to stderr. */
  readonly logger?: Logger;
  readonly clock?: Clock;
}

/** The options of an embedded dashboard. Origins are those of the page, where a proxy changes the host. */
export interface DashboardOptions extends StoreOptions, AddressOptions {
  /** Names the user of a request, or refuses it. */
  readonly authorize: Authorize;
  /** Host names that are answered, without port; any by default. */
  readonly hosts?: readonly string[];
}

export interface Settings {
  readonly source: Source;
  readonly meter: PrometheusMeter | undefined;
  readonly basePath: string;
  readonly guard: GuardSettings;
}

/** The names of the options that both kinds of dashboard have. */
export const STORE_OPTIONS: Readonly<Record<keyof StoreOptions, true>> = {
  provider: true,
  client: true,
  codec: true,
  redact: true,
  orchestrations: true,
  readOnly: true,
  title: true,
  meter: true,
  logger: true,
  clock: true,
};

const DASHBOARD_OPTIONS: OptionList = optionList<DashboardOptions>({
  ...STORE_OPTIONS,
  authorize: true,
  basePath: true,
  origins: true,
  hosts: true,
});

export function readOptions(options: DashboardOptions): Settings {
  const { basePath = "", origins = [], hosts } = options;
  const fault = optionFault("dashboard", options, DASHBOARD_OPTIONS) ?? addressFault("dashboard", options);
  if (fault !== undefined) throw new ConfigurationError(fault);
  return {
    source: sourceOf(options),
    meter: options.meter,
    basePath,
    guard: {
      hosts: hosts === undefined ? undefined : new Set(hosts.map((host) => host.toLowerCase())),
      origins: new Set(origins),
    },
  };
}

/** ConfigurationError if there is not exactly one store. */
export function sourceOf(options: StoreOptions): Source {
  const { provider, codec = jsonCodec, clock = systemClock, readOnly = false } = options;
  if (typeof readOnly !== "boolean") {
    throw new ConfigurationError(
      `dashboard: readOnly must be true or false; got ${JSON.stringify(readOnly)}`,
    );
  }
  const logger = toLogger(options.logger, clock);
  if ((provider === undefined) === (options.client === undefined)) {
    throw new ConfigurationError("dashboard: give either provider or client");
  }
  const acting = options.client ?? (provider && new Client(provider, { codec, clock, logger }));
  if (acting === undefined) throw new ConfigurationError("dashboard: give either provider or client");
  const { redact } = options;
  const client = redact === undefined ? acting : acting.redacted(redact, codec);
  return {
    client,
    admin: client.admin,
    acting,
    redacts: redact !== undefined,
    payloads: new Payloads(codec),
    overview: new SharedOverview(),
    figures: new Kept(keptUntilMs),
    orchestrations: new KnownOrchestrations(options.orchestrations ?? []),
    clock,
    logger,
    warnings: new RareWarnings(logger, clock),
    costs: acting.providerName.includes("cosmos"),
    title: options.title ?? acting.storeTitle,
    readOnly,
  };
}
