/** Starts, watches and steers orchestrations. Needs no runtime: any process that reaches the store will do. */
import { type Clock, type Random, systemClock, systemRandom } from "../contract/clock.ts";
import type { Provider } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";
import type { OrchestrationDefinition } from "../define/definitions.ts";
import { checkRootId } from "../define/instance-id.ts";
import type { Logger } from "../define/logger.ts";
import { validate } from "../define/standard-schema.ts";
import { stderrLogger } from "../define/stderr-logger.ts";
import { InvalidInputError, refusedPayload } from "../errors/duroxide-error.ts";
import { ClientSpans } from "../observe/client-spans.ts";
import { withTraceparent } from "../observe/trace-context.ts";
import type { Tracer } from "../observe/tracer.ts";
import { jsonCodec } from "../payload/json-codec.ts";
import { LargePayloads } from "../payload/large-payloads.ts";
import { DEFAULT_MAX_PAYLOAD_BYTES, limitedCodec, type NamingCodec } from "../payload/limited-codec.ts";
import type { PayloadCodec } from "../payload/payload-codec.ts";
import { describePayload } from "../payload/payload-kind.ts";
import { probeCodec } from "../payload/probe-codec.ts";
import { parseSemver } from "../wire/version.ts";
import type { WorkItemOf } from "../wire/work-item.ts";
import { Admin } from "./admin.ts";
import { InstanceHandle } from "./instance-handle.ts";
import { planStart, storeStart } from "./start-instance.ts";
import type { LooseStartOptions, StartArguments } from "./start-options.ts";

/** What a client can be told beside its provider. */
export interface ClientOptions {
  /** The codec of the runtimes that serve the store; JSON by default. */
  readonly codec?: PayloadCodec;
  /** That of the runtimes that serve the store; 1,500,000 bytes by default. More is a LimitExceededError. */
  readonly maxPayloadBytes?: number;
  /** For warnings of large payloads. By default they go to stderr (`stderrLogger`); `silentLogger` writes nothing. */
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Of @opentelemetry/api: a span for each message sent, and traces that reach into orchestrations. */
  readonly tracer?: Tracer;
}

interface ClientSettings {
  readonly codec: NamingCodec;
  readonly clock: Clock;
  readonly random: Random;
  readonly spans: ClientSpans;
}

/** Starts orchestrations and hands out handles on them. Needs no runtime in its process, only the store. */
export class Client {
  readonly #provider: Provider;
  readonly #settings: ClientSettings;

  /** A codec that does not give back what it was given is a ConfigurationError. */
  constructor(provider: Provider, options: ClientOptions = {}) {
    this.#provider = provider;
    const { clock = systemClock, random = systemRandom, tracer } = options;
    const { codec: given = jsonCodec, maxPayloadBytes = DEFAULT_MAX_PAYLOAD_BYTES } = options;
    const { logger = stderrLogger({ clock }) } = options;
    probeCodec(given);
    const codec = limitedCodec(given, maxPayloadBytes, new LargePayloads(logger));
    this.#settings = { codec, clock, random, spans: new ClientSpans(tracer, clock) };
  }

  /**
   * Resolves once the start is stored, with its messages: accepted, not begun. A runtime takes it from there; whether
   * one has the orchestration cannot be known here. Refuses bad ids, versions and inputs with InvalidInputError before
   * anything is stored.
   */
  async start<
    Input,
    Output,
    Parsed,
    Events extends readonly unknown[] = [],
    Messages extends readonly unknown[] = [],
  >(
    orchestration: OrchestrationDefinition<Input, Output, Parsed>,
    ...args: StartArguments<Input, Events, Messages>
  ): Promise<InstanceHandle<Output>>;
  async start(orchestration: string, options?: LooseStartOptions): Promise<InstanceHandle<unknown>>;
  async start(
    orchestration: OrchestrationDefinition<unknown, unknown, unknown> | string,
    options: LooseStartOptions = {},
  ): Promise<InstanceHandle<unknown>> {
    const { codec, random, spans } = this.#settings;
    const { instanceId = random.uuid(), input, version } = options;
    const name = typeof orchestration === "string" ? orchestration : orchestration.name;
    checkRootId(instanceId);
    checkName(name);
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
      input: encodeInput(codec, input, name),
      version: version ?? null,
      parent_instance: null,
      parent_id: null,
      execution_id: 1,
    };
    const plan = planStart(this.#settings, item, options);
    await spans.around(`start ${name}`, instanceId, (traceparent) =>
      storeStart(this.#provider, { ...plan, start: withTraceparent(plan.start, traceparent) }),
    );
    return new InstanceHandle(this.#provider, this.#settings, instanceId);
  }

  /** A handle on an instance that exists, or will. */
  handle<Input, Output, Parsed>(
    orchestration: OrchestrationDefinition<Input, Output, Parsed>,
    instanceId: string,
  ): InstanceHandle<Output>;
  handle(orchestration: string, instanceId: string): InstanceHandle<unknown>;
  handle(_orchestration: unknown, instanceId: string): InstanceHandle<unknown> {
    return new InstanceHandle(this.#provider, this.#settings, instanceId);
  }

  /** Listing, inspection, deletion and pruning, where the provider offers them. */
  get admin(): Admin {
    const { admin } = this.#provider;
    if (admin === undefined) {
      throw new ProviderError({
        code: "invalid-input",
        operation: "admin",
        message: `the provider "${this.#provider.name}" has no admin interface; inspect its store by other means`,
      });
    }
    return new Admin(this.#provider, admin);
  }
}

function checkName(name: unknown): void {
  if (typeof name !== "string" || name === "")
    throw new InvalidInputError("an orchestration name must be a string that is not empty");
}

function encodeInput(codec: NamingCodec, input: unknown, name: string): string {
  try {
    return codec.encode(input, "orchestration-input", name);
  } catch (error) {
    throw refusedPayload(describePayload("orchestration-input", name), error);
  }
}
