/** Starts, watches and controls orchestrations. Needs access to the store, but no runtime in its process. */
import { type Clock, type Random, systemClock, systemRandom } from "../contract/clock.ts";
import type { Provider } from "../contract/provider.ts";
import { providerFault } from "../contract/provider-check.ts";
import { checkInstanceId, checkRootId } from "../define/instance-id.ts";
import { DEFAULT_MAX_PAYLOAD_BYTES } from "../define/limits.ts";
import type { Logger } from "../define/logger.ts";
import { calleeName } from "../define/named.ts";
import { toLogger } from "../define/observers.ts";
import type { AnyOrchestration, CustomStatusOf, ResultOf } from "../define/orchestration-context.ts";
import { validate } from "../define/standard-schema.ts";
import { checkedTags } from "../define/tags.ts";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { checkClientCall } from "../guard/client-calls.ts";
import { ClientSpans } from "../observe/client-spans.ts";
import { withTraceparent } from "../observe/trace-context.ts";
import type { Tracer } from "../observe/tracer.ts";
import { methodsFault, wholeNumberFault } from "../options/option-kinds.ts";
import { type OptionList, optionFault, optionList } from "../options/option-list.ts";
import { encodePayload } from "../payload/encode-payload.ts";
import { jsonCodec } from "../payload/json-codec.ts";
import { LargePayloads } from "../payload/large-payloads.ts";
import { limitedCodec, type NamingCodec } from "../payload/limited-codec.ts";
import type { PayloadCodec } from "../payload/payload-codec.ts";
import { probeCodec } from "../payload/probe-codec.ts";
import { rawCodec } from "../payload/raw-codec.ts";
import type { RedactPayload } from "../redaction/redacted-values.ts";
import { withRedaction } from "../redaction/with-redaction.ts";
import { SCHEDULE_PREFIX } from "../wire/scheduled.ts";
import { hasTags, NO_TAGS } from "../wire/tags.ts";
import { parseSemver } from "../wire/version.ts";
import type { WorkItemOf } from "../wire/work-item.ts";
import { Admin } from "./admin.ts";
import { InstanceHandle } from "./instance-handle.ts";
import type { Limits } from "./limits.ts";
import { Schedules } from "./schedules/schedules.ts";
import { NO_SCHEMAS, schemasOf } from "./schemas.ts";
import { planStart, storeStart } from "./start-instance.ts";
import { checkStartOptions, type LooseStartOptions, type StartArguments } from "./start-options.ts";

/** The options of a client. */
export interface ClientOptions {
  /** The codec of the runtimes that serve the store; JSON by default. */
  readonly codec?: PayloadCodec;
  /** The limit of the runtimes of the store; 1,500,000 bytes by default. A larger payload is a LimitExceededError. */
  readonly maxPayloadBytes?: number;
  /**
   * Receives warnings of large payloads. They go to stderr (`stderrLogger`) by default; `silentLogger` writes nothing.
   */
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
  /** A tracer of @opentelemetry/api: creates a span for each sent message, and connects traces with orchestrations. */
  readonly tracer?: Tracer;
}

// A declaration here, because the context of an activity stands below clients.
declare module "@duroxide-ts/core" {
  interface ActivityContext {
    /** A client of the store that runs the activity: it starts, raises, enqueues, asks and reads. */
    readonly client: Client;
  }
}

interface ClientSettings {
  readonly codec: NamingCodec;
  readonly clock: Clock;
  readonly random: Random;
  readonly spans: ClientSpans;
  readonly logger: Logger;
}

const CLIENT_OPTIONS: OptionList = optionList<ClientOptions>({
  codec: true,
  maxPayloadBytes: true,
  logger: true,
  clock: true,
  random: true,
  tracer: true,
});

/**
 * Starts orchestrations and returns handles to them. Needs the store, but no runtime in its process.
 *
 * @example
 * ```ts
 * const client = new Client(provider);
 * const handle = await client.start(checkout, { instanceId: "order-42", input: order });
 * const receipt = await handle.result({ timeout: { minutes: 1 } });
 * ```
 */
export class Client {
  readonly #unchecked: Provider;
  readonly #settings: ClientSettings;
  readonly #options: ClientOptions;
  #schedules: Schedules | undefined;

  /**
   * InvalidInputError for a value that is not a provider, and for options that do not exist; ConfigurationError for a
   * codec that does not decode what it encoded.
   */
  constructor(provider: Provider, options: ClientOptions = {}) {
    checkClientOptions(provider, options);
    this.#unchecked = provider;
    this.#options = options;
    const { clock = systemClock, random = systemRandom, tracer } = options;
    const { codec: given = jsonCodec, maxPayloadBytes = DEFAULT_MAX_PAYLOAD_BYTES } = options;
    const logger = toLogger(options.logger, clock);
    probeCodec(given);
    const codec = limitedCodec(given, maxPayloadBytes, new LargePayloads(logger));
    this.#settings = { codec, clock, random, spans: new ClientSpans(tracer, { clock, logger }), logger };
  }

  get #provider(): Provider {
    checkClientCall();
    return this.#unchecked;
  }

  /** Name of the provider, such as "sqlite". */
  get providerName(): string {
    return this.#unchecked.name;
  }

  /** Request units of all requests of the provider so far; `undefined` where the store does not charge by request. */
  get requestUnits(): number | undefined {
    return this.#unchecked.requestUnits;
  }

  /** Name of the store for people, such as "orders.db"; that of the provider where the store has none. */
  get storeTitle(): string {
    return this.#unchecked.title ?? this.#unchecked.name;
  }

  /**
   * Resolves when the start is stored, with its messages. A runtime begins the instance later; the client cannot know
   * whether any runtime has the orchestration. `created` of the handle says whether the id was free. Rejects with
   * InvalidInputError for an invalid id, version or input, and with AlreadyExistsError for the id of an instance of
   * another orchestration, before anything is stored.
   *
   * @example
   * ```ts
   * // With its first event in the same commit, and an error where the id is taken.
   * const handle = await client.start(checkout, {
   *   instanceId: "order-42",
   *   input: order,
   *   ifExists: "fail",
   *   raise: [{ event: approved, data: { by: "Ada" } }],
   * });
   * ```
   */
  async start<
    O extends AnyOrchestration | string,
    Events extends readonly unknown[] = [],
    Messages extends readonly unknown[] = [],
  >(
    orchestration: O,
    ...args: StartArguments<O, Events, Messages>
  ): Promise<InstanceHandle<ResultOf<O>, CustomStatusOf<O>>>;
  async start(
    orchestration: AnyOrchestration | string,
    options: LooseStartOptions = {},
  ): Promise<InstanceHandle<unknown>> {
    const { codec, random, spans } = this.#settings;
    const name = calleeName("client.start", "orchestration", orchestration);
    checkStartOptions(options);
    const { instanceId = random.uuid(), input, version } = options;
    const tags = options.tags === undefined ? NO_TAGS : checkedTags("client.start", NO_TAGS, options.tags);
    checkRootId(instanceId);
    if (instanceId.startsWith(SCHEDULE_PREFIX))
      throw new InvalidInputError(
        `ids that begin with "${SCHEDULE_PREFIX}" are those of schedules; use another id`,
      );
    if (version !== undefined && parseSemver(version) === undefined) {
      throw new InvalidInputError(`version must be a semantic version such as "2.0.0"; got "${version}"`);
    }
    if (typeof orchestration !== "string" && orchestration.schema !== undefined) {
      validate(orchestration.schema, input, `input of orchestration "${name}"`);
    }
    const item: WorkItemOf<"StartOrchestration"> = {
      kind: "StartOrchestration",
      instance: instanceId,
      orchestration: name,
      input: encodePayload(codec, input, "orchestration-input", name),
      version: version ?? null,
      parent_instance: null,
      parent_id: null,
      execution_id: 1,
      ...(hasTags(tags) && { tags }),
      // A store without limits has no rule of the key, and so nothing that lets the code begin.
      ...(this.#provider.limits !== undefined && limitOfStart(options)),
    };
    const plan = planStart(this.#settings, item, options);
    const created = await spans.around(`start ${name}`, instanceId, (traceparent) =>
      storeStart(this.#provider, { ...plan, start: withTraceparent(plan.start, traceparent) }),
    );
    const schemas = schemasOf(orchestration);
    return new InstanceHandle(this.#unchecked, this.#settings, { instanceId, schemas, created });
  }

  /**
   * A handle to an instance that exists, or may exist later.
   *
   * @example
   * ```ts
   * const handle = client.handle(checkout, "order-42");
   * ```
   */
  handle<O extends AnyOrchestration | string>(
    orchestration: O,
    instanceId: string,
  ): InstanceHandle<ResultOf<O>, CustomStatusOf<O>> {
    calleeName("client.handle", "orchestration", orchestration);
    checkInstanceId(instanceId);
    const schemas = schemasOf(orchestration);
    return new InstanceHandle(this.#unchecked, this.#settings, { instanceId, schemas, created: false });
  }

  /**
   * A client for tools that show what they read: everywhere with what `redact` returns in place of payloads, of messages
   * of errors and of reasons. `redact` sees payloads as the codec decodes them, by default that of this client. It
   * changes nothing (`read-only`), and finds nothing by the text of messages. InvalidInputError if `redact` is no function.
   *
   * @example
   * ```ts
   * const visible = client.redacted((path, value) => (/\.(card|iban)$/.test(path) ? "•••" : value));
   * const { steps } = await visible.admin.timeline("order-42");
   * ```
   */
  redacted(redact: RedactPayload, codec: PayloadCodec = this.#options.codec ?? jsonCodec): Client {
    const { clock, logger } = this.#settings;
    const provider = withRedaction(this.#provider, { redact, codec, clock, logger });
    return new Client(provider, { ...this.#options, codec });
  }

  /**
   * A client of the same store whose payloads are the stored texts, for tools that show them as they are.
   *
   * @example
   * ```ts
   * const stored = client.undecoded().handle(checkout, "order-42"); // payloads as they are stored
   * ```
   */
  undecoded(): Client {
    return new Client(this.#provider, { ...this.#options, codec: rawCodec });
  }

  /**
   * Listing, inspection, deletion and pruning.
   *
   * @example
   * ```ts
   * for await (const id of client.admin.instances({ status: "Failed" })) console.log(await client.admin.info(id));
   * ```
   */
  get admin(): Admin {
    const { clock, logger, codec, random } = this.#settings;
    const provider = this.#provider;
    return new Admin({ provider, admin: provider.admin, clock, logger, codec, random });
  }

  /**
   * The limits of keys: how many run at the same time, and how many begin in a period.
   *
   * @example
   * ```ts
   * await client.limits.set("partner", { concurrency: 5, rate: { max: 10, per: { seconds: 1 } } });
   * ```
   */
  get limits(): Limits {
    const provider = this.#provider;
    const { logger } = this.#settings;
    // Loaded at the first use: most programs have no limits, and start faster without them.
    const calls = () => import("./limit-calls.ts");
    return {
      set: async (key, rule, options = {}) =>
        (await calls()).setRule(provider, logger, { key, rule, options }),
      delete: async (key, options = {}) => (await calls()).deleteRule(provider, logger, { key, options }),
      list: async () => (await calls()).listRules(provider),
      get: async (key) => (await calls()).readKey(provider, key),
    };
  }

  /**
   * Schedules, and their changes by hand.
   *
   * @example
   * ```ts
   * await client.schedules.pause("nightly", { by: "ada", reason: "the disk is full" });
   * ```
   */
  get schedules(): Schedules {
    const { maxPayloadBytes = DEFAULT_MAX_PAYLOAD_BYTES } = this.#options;
    const provider = this.#unchecked;
    this.#schedules ??= new Schedules({
      ...this.#settings,
      provider,
      maxPayloadBytes,
      outdated: new Set(),
      handle: (instanceId) =>
        new InstanceHandle(provider, this.#settings, { instanceId, schemas: NO_SCHEMAS, created: true }),
    });
    return this.#schedules;
  }
}

function checkClientOptions(provider: unknown, options: ClientOptions): void {
  const fault =
    providerFault("new Client", provider, "enqueueForOrchestrator") ??
    optionFault("new Client", options, CLIENT_OPTIONS) ??
    methodsFault("new Client: codec", options.codec, ["encode", "decode"]) ??
    methodsFault("new Client: logger", options.logger, ["warn"]) ??
    methodsFault("new Client: clock", options.clock, ["now", "schedule"]) ??
    methodsFault("new Client: random", options.random, ["next", "uuid"]) ??
    wholeNumberFault("new Client: maxPayloadBytes", options.maxPayloadBytes, 1);
  if (fault !== undefined) throw new InvalidInputError(fault);
}

/** The priority is that among starts which wait for limits. */
function limitOfStart({
  limit,
  priority,
}: LooseStartOptions): Pick<WorkItemOf<"StartOrchestration">, "limit" | "priority"> {
  if (limit === undefined) return {};
  return { limit, ...(priority !== undefined && { priority }) };
}
