/**
 * A provider whose reads are redacted, for clients that show what they read (docs/decisions/dashboard.md).
 *
 * - with-redaction.WR1: Every text of a user that a read returns has passed `redact`: a method that is not listed here
 *   cannot be called.
 * - with-redaction.WR2: It changes nothing. What was read so must not be stored again.
 * - with-redaction.WR3: Nothing is found by a text that may be hidden.
 * - with-redaction.WR4: Messages of errors do not quote what is stored.
 */
import type { ProviderAdmin } from "../contract/admin.ts";
import type { Clock } from "../contract/clock.ts";
import type { ProviderLimits } from "../contract/limits.ts";
import type { Provider } from "../contract/provider.ts";
import { ProviderError, type ProviderErrorCode } from "../contract/provider-error.ts";
import type { InstanceFilter } from "../contract/queries.ts";
import type { Logger } from "../define/logger.ts";
import { RareWarnings } from "../define/rare-warnings.ts";
import { InvalidInputError } from "../errors/duroxide-error.ts";
import { QuestionError } from "../errors/question-error.ts";
import { shown } from "../options/option-list.ts";
import type { PayloadCodec } from "../payload/payload-codec.ts";
import { SCHEDULE_PREFIX } from "../wire/scheduled.ts";
import { RedactedValues, type RedactPayload } from "./redacted-values.ts";
import { Redaction } from "./redaction.ts";

/** The settings of redacted reads. */
export interface RedactionSettings {
  readonly redact: RedactPayload;
  /** Decodes payloads for `redact`; what it cannot decode is not shown. */
  readonly codec: PayloadCodec;
  /** Hears once a minute that `redact` fails. */
  readonly logger: Logger;
  readonly clock: Clock;
}

/**
 * The reads of a provider, with what `redact` returns in place of payloads, messages and reasons. InvalidInputError if
 * `redact` is no function.
 */
export function withRedaction(provider: Provider, settings: RedactionSettings): Provider {
  const { redact, codec, logger, clock } = settings;
  if (typeof redact !== "function") {
    throw new InvalidInputError(`redact must be a function; got ${shown(redact)}`);
  }
  const warnings = new RareWarnings(logger, clock);
  const onFault = (): void =>
    warnings.write(
      "redact_failed",
      "redact threw, or returned nothing or a promise, so a value is hidden; return the value or what is shown in its place",
    );
  const redaction = new Redaction(new RedactedValues(redact, onFault), codec);
  const { admin } = provider;
  return readsOf<Provider>(provider, PASSED, {
    ...readsOfProvider(provider, redaction),
    admin: adminOf(admin, redaction),
    ...(provider.limits !== undefined && { limits: limitsOf(provider.limits, redaction) }),
  });
}

function limitsOf(limits: ProviderLimits, redaction: Redaction): ProviderLimits {
  return readsOf<ProviderLimits>(limits, ["mayHoldWork"], {
    listLimits: async () => (await limits.listLimits()).map((state) => redaction.limit(state)),
    readLimit: async (key) => redaction.limit(await limits.readLimit(key)),
  });
}

const PASSED = [
  "name",
  "title",
  "requestUnits",
  "version",
  "isClosed",
  "getInstanceStats",
  "watchInstance",
  "listStreams",
  "watchStream",
  "streamPollMs",
] as const;

function readsOfProvider(provider: Provider, redaction: Redaction): Partial<Provider> {
  return {
    readHistory: async (id, executionId) => redaction.events(await provider.readHistory(id, executionId)),
    getInstanceStatus: async (id) => {
      const status = await provider.getInstanceStatus(id);
      if (status === undefined) return undefined;
      return id.startsWith(SCHEDULE_PREFIX) ? redaction.schedule(status) : redaction.status(status);
    },
    readStream: async (read) => {
      const page = await provider.readStream?.(read);
      return page && redaction.stream(read.stream, page);
    },
    readProgress: async (id, call) =>
      ((await provider.readProgress?.(id, call)) ?? []).map((report) => redaction.progress(report)),
    getKvValues: async (id, only) => {
      const entries = [...(await provider.getKvValues(id, only))];
      return new Map(entries.map(([key, value]) => [key, redaction.entry(key, value)]));
    },
  };
}

function adminOf(admin: ProviderAdmin, redaction: Redaction): ProviderAdmin {
  const passed = ["getSystemMetrics", "getQueueDepths", "listWork", "listWorkers"] as const;
  return readsOf<ProviderAdmin>(admin, passed, {
    getInstanceInfo: async (id) => redaction.instance(await admin.getInstanceInfo(id)),
    listExecutions: async (id, executionId) =>
      (await admin.listExecutions(id, executionId)).map((execution) => redaction.execution(execution)),
    listBlocked: async (options) => {
      const page = await admin.listBlocked(options);
      return { ...page, blocked: page.blocked.map((blocked) => redaction.blocked(blocked)) };
    },
    queryInstances: async (query = {}) => {
      checkFilter("queryInstances", query.filter);
      const page = await admin.queryInstances(query);
      return { ...page, instances: page.instances.map((instance) => redaction.instance(instance)) };
    },
    countInstances: async (filter, by) => {
      checkFilter("countInstances", filter);
      return admin.countInstances(filter, by);
    },
    listDeadLetters: async (query) => {
      const page = await admin.listDeadLetters(query);
      return { ...page, deadLetters: page.deadLetters.map((letter) => redaction.deadLetter(letter)) };
    },
  });
}

/** with-redaction.WR3 */
function checkFilter(operation: string, filter: InstanceFilter = {}): void {
  if (filter.errorContains === undefined) return;
  throw new ProviderError({
    code: "invalid-input",
    operation,
    message:
      "messages of errors may be hidden by redact, so nothing is found by their text; leave errorContains out",
  });
}

type Method = (...args: unknown[]) => unknown;

/** An object with these methods and members only (with-redaction.WR1). What the object does not have stays absent. */
function readsOf<T extends object>(object: T, passed: readonly (keyof T)[], reads: Partial<T>): T {
  const isPassed: ReadonlySet<PropertyKey> = new Set(passed);
  return new Proxy(object, {
    get(target, key) {
      const own: unknown = Reflect.get(target, key, target);
      if (own === undefined) return undefined;
      const isRead = Object.hasOwn(reads, key);
      const value: unknown = isRead ? Reflect.get(reads, key) : own;
      const isListed = isRead || isPassed.has(key);
      if (typeof value !== "function") return isListed ? value : undefined;
      return isListed ? quotingNothing(String(key), (value as Method).bind(target)) : refusing(String(key));
    },
  });
}

/** with-redaction.WR4: the message of a store that cannot decode what it has read may quote it. */
function quotingNothing(operation: string, read: Method): Method {
  const withoutIts = (error: unknown): unknown =>
    ProviderError.is(error) ? withoutQuotation(error) : unreadable(operation, "internal");
  return (...args) => {
    try {
      const result = read(...args);
      return result instanceof Promise
        ? result.catch((error: unknown) => Promise.reject(withoutIts(error)))
        : result;
    } catch (error) {
      throw withoutIts(error);
    }
  };
}

/**
 * The error, or one in its place that quotes neither a stored text nor the reason of an operator. For the errors of calls
 * that change something, because these read the store as it is.
 */
export function withoutQuotation(error: unknown): unknown {
  if (QuestionError.is(error, "suspended") || QuestionError.is(error, "blocked")) return withoutReason(error);
  if (!ProviderError.is(error, "corrupt-data") && !ProviderError.is(error, "internal")) return error;
  return unreadable(error.operation, error.code);
}

/** The error of a read whose own message may quote what it has read. */
function unreadable(operation: string, code: ProviderErrorCode): ProviderError {
  return new ProviderError({
    code,
    operation,
    message:
      "the store cannot read this; its message may quote payloads, so ask it without redact, such as by duroxide show",
  });
}

function withoutReason({ code, instanceId, question, messageId }: QuestionError): QuestionError {
  const message = `question "${question}": instance "${instanceId}" is ${code}; its status says why`;
  return new QuestionError(code as "suspended" | "blocked", message, { instanceId, question, messageId });
}

/** with-redaction.WR2 */
function refusing(operation: string): Method {
  const message = "a client whose reads are redacted changes nothing; use the client that it was made of";
  return () => Promise.reject(new ProviderError({ code: "read-only", operation, message }));
}
