/**
 * Stores a start with its messages and options (docs/decisions/messages.md). A start without them is enqueued; the
 * others need `startInstance`.
 */
import type { Clock, Random } from "../contract/clock.ts";
import type { Provider, StartInstanceOptions, StartMessage, TakenId } from "../contract/provider.ts";
import { durationMs } from "../define/duration.ts";
import { DEFAULT_MAX_PAYLOAD_BYTES, storedBytes } from "../define/limits.ts";
import { startMs } from "../define/timer-time.ts";
import { AlreadyExistsError, InvalidInputError, LimitExceededError } from "../errors/duroxide-error.ts";
import type { NamingCodec } from "../payload/limited-codec.ts";
import type { WorkItemOf } from "../wire/work-item.ts";
import { channelName, encodeMessage, isKept } from "./channels.ts";
import { checkMessageId, withMessageId } from "./send-message.ts";
import type { Debounce, LooseStartOptions } from "./start-options.ts";

type Start = WorkItemOf<"StartOrchestration">;

/** A start and its messages are one commit, whose size a store limits. */
const MOST_MESSAGES = 50;

export interface StartPlan {
  readonly start: Start;
  /** Absent for a start that has only its message. */
  readonly options: StartInstanceOptions | undefined;
  /** Its id was drawn for it. */
  readonly isNewId: boolean;
}

interface Tools {
  readonly codec: NamingCodec;
  readonly clock: Clock;
  readonly random: Random;
}

/** Throws for values that cannot be stored; nothing is stored then. */
export function planStart(tools: Tools, plain: Start, options: LooseStartOptions): StartPlan {
  const { ifExists = "reuse", after, timeout, messageId, debounce } = options;
  const isNewId = options.instanceId === undefined;
  checkIfExists(ifExists);
  if (debounce !== undefined) {
    const id = checkMessageId(messageId ?? tools.random.uuid());
    const held = { ifExists, messages: [], messageId: id, debounce: inMs(debounce) };
    return { start: plain, options: held, isNewId };
  }
  const nowMs = tools.clock.now();
  const startsAtMs = after === undefined ? undefined : startMs("client.start: after", after, nowMs);
  const item = startsAtMs === undefined ? plain : { ...plain, start_at_ms: startsAtMs };
  const messages = startMessages(tools.codec, item.instance, options);
  const isPlain =
    ifExists === "reuse" && messages.length === 0 && timeout === undefined && messageId === undefined;
  if (isPlain) return { start: item, options: undefined, isNewId };
  const limitMs = timeout === undefined ? undefined : durationMs(timeout);
  const deadline =
    limitMs === undefined ? undefined : deadlineOf(item.instance, nowMs, startsAtMs ?? nowMs, limitMs);
  const start = deadline === undefined ? item : { ...item, deadline_ms: deadline.atMs };
  checkSize(start, messages);
  return {
    start,
    options: {
      ifExists,
      messages,
      messageId: checkMessageId(messageId ?? tools.random.uuid()),
      ...(deadline && { deadline: deadline.message }),
      isNewId,
    },
    isNewId,
  };
}

/**
 * Returns whether the id was free. Rejects with AlreadyExistsError, or a ProviderError with the id for a repetition.
 */
export async function storeStart(
  provider: Provider,
  { start, options, isNewId }: StartPlan,
): Promise<boolean> {
  if (options === undefined) {
    const outcome = await provider.enqueueForOrchestrator(start, 0, { ifTaken: "tell", isNewId });
    if (typeof outcome === "object") throw ofAnother(start, outcome);
    return outcome !== "reused";
  }
  const { messageId = "", ifExists } = options;
  const outcome = await provider
    .startInstance(start, options)
    .catch((error: unknown) => Promise.reject(withMessageId(error, messageId, "the start may be stored")));
  if (outcome.kind === "stored") return outcome.created;
  if (ifExists === "reuse") throw ofAnother(start, outcome);
  throw new AlreadyExistsError(start.instance, outcome, HINT[ifExists]);
}

const HINT = {
  fail: 'choose another id, or take the instance that is there: client.handle(…), or ifExists: "reuse"',
  restart: "only an instance that has ended can be started again: wait for its end, or cancel it first",
} as const;

function ofAnother({ instance, orchestration }: Start, taken: TakenId): AlreadyExistsError {
  return new AlreadyExistsError(
    instance,
    taken,
    `it is one of "${taken.orchestration}", and not of "${orchestration}": choose another id`,
  );
}

function inMs({ wait, max }: Debounce): NonNullable<StartInstanceOptions["debounce"]> {
  const waitMs = durationMs(wait, "client.start: debounce.wait");
  return { waitMs, ...(max !== undefined && { maxMs: durationMs(max, "client.start: debounce.max") }) };
}

function startMessages(
  codec: NamingCodec,
  instance: string,
  { raise = [], enqueue = [] }: LooseStartOptions,
): readonly StartMessage[] {
  const raised = raise.map(({ event, data }): StartMessage => {
    if (!isKept(event)) throw notKept(channelName(event));
    return {
      kind: "QueueMessage",
      instance,
      name: channelName(event),
      data: encodeMessage(codec, "raised-event", event, data),
      kept_event: true,
    };
  });
  const queued = enqueue.map(({ queue, message }): StartMessage => {
    const data = encodeMessage(codec, "queue-message", queue, message);
    return { kind: "QueueMessage", instance, name: channelName(queue), data };
  });
  return [...raised, ...queued];
}

/** The error for an event without `keep`, which would arrive before the code can wait for it. */
function notKept(name: string): InvalidInputError {
  return new InvalidInputError(
    `event "${name}" would be lost: a start can raise only events that stay until they are awaited; ` +
      `define it as event("${name}", { keep: true }) and use the definition on both sides`,
  );
}

interface Deadline {
  readonly atMs: number;
  readonly message: NonNullable<StartInstanceOptions["deadline"]>;
}

/** The deadline counts from the time at which the code may begin. */
function deadlineOf(instance: string, nowMs: number, fromMs: number, limitMs: number): Deadline {
  const atMs = Math.min(fromMs + limitMs, Number.MAX_SAFE_INTEGER);
  const reason = `timeout: the instance did not end within ${limitMs} ms`;
  return {
    atMs,
    message: { item: { kind: "CancelInstance", instance, reason, deadline_ms: atMs }, delayMs: atMs - nowMs },
  };
}

function checkIfExists(ifExists: unknown): void {
  if (ifExists === "reuse" || ifExists === "fail" || ifExists === "restart") return;
  throw new InvalidInputError(
    `ifExists must be "reuse", "fail" or "restart"; got ${JSON.stringify(ifExists)}`,
  );
}

function checkSize(start: Start, messages: readonly StartMessage[]): void {
  if (messages.length === 0) return;
  const bytes = messages.reduce((sum, { data }) => sum + storedBytes(data), storedBytes(start.input));
  if (messages.length <= MOST_MESSAGES && bytes <= DEFAULT_MAX_PAYLOAD_BYTES) return;
  throw new LimitExceededError(
    `a start with ${messages.length} messages and ${bytes} bytes is too large for one commit; ` +
      `at most ${MOST_MESSAGES} and ${DEFAULT_MAX_PAYLOAD_BYTES}. Send the rest afterwards, with handle.enqueue`,
  );
}
