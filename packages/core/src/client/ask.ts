/**
 * Asks an instance and waits for its answer (docs/decisions/messages.md).
 *
 * - ask.AK1: Nothing is sent to an instance that cannot answer. While a question waits, the state of its instance is read
 *   again, so it fails within five seconds of a change. What may pass by itself must last for `PATIENCE_MS`: a start on its
 *   way, and a block, because the next try may come in this time.
 * - ask.AK2: The answer is read before and after the status: an instance may answer in its last turn.
 * - ask.AK3: Each call sends a message of its own, and the instance recognises a repetition by the id of the question.
 */
import { type Clock, sleep } from "../contract/clock.ts";
import { onAbort } from "../contract/on-abort.ts";
import type { Provider } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";
import { hasEnded } from "../contract/status.ts";
import { waitingStart } from "../contract/waiting-start.ts";
import { durationMs } from "../define/duration.ts";
import type { Named } from "../define/named.ts";
import { validateStored } from "../define/standard-schema.ts";
import { CancelledError, ConfigurationError, TimeoutError } from "../errors/duroxide-error.ts";
import { QuestionError, type QuestionErrorCode } from "../errors/question-error.ts";
import { attempt } from "../errors/thrown-value.ts";
import { checkOptions, type OptionList, optionList } from "../options/option-list.ts";
import type { PayloadCodec } from "../payload/payload-codec.ts";
import {
  type AskedQuestion,
  answerKey,
  isRecentAnswer,
  questionQueue,
  type StoredAnswer,
} from "../wire/question.ts";
import { findInstance, missingCode } from "./find-instance.ts";
import { checkMessageId, type SendOptions, withMessageId } from "./send-message.ts";
import { checkWait, type WaitOptions, waitUntil } from "./wait.ts";

/** The options of a question. Without a timeout it waits for as long as the instance may answer. */
export interface AskOptions extends WaitOptions {
  /**
   * Identifies the question, 1 to 200 characters: within an hour of its answer, the same question with the same id gets this
   * answer, and the instance is not asked again. By default a random id.
   */
  readonly messageId?: SendOptions["messageId"];
}

const ASK_OPTIONS: OptionList = optionList<AskOptions>({ timeout: true, signal: true, messageId: true });

/** InvalidInputError for invalid options. */
export function checkAsk(options: AskOptions): void {
  checkOptions("ask", options, ASK_OPTIONS);
  const { messageId, ...wait } = options;
  checkWait("ask", wait);
  if (messageId !== undefined) checkMessageId(messageId);
}

/** Time between two looks at the state of an instance that does not answer, ms. */
const LOOK_AGAIN_MS = 3_000;
/** Time for which a start may be on its way, and for which a block must last, ms. */
const PATIENCE_MS = 2_000;
/** Time between two looks meanwhile, ms. */
const PAUSE_MS = 500;

export interface Asking {
  readonly provider: Provider;
  readonly clock: Clock;
  readonly codec: Pick<PayloadCodec, "decode">;
  readonly instanceId: string;
  readonly asked: AskedQuestion;
  /** The id of the message. */
  readonly sentAs: string;
}

/** The stored answer to the question, which is sent with this input. */
export async function ask(asking: Asking, input: string, options: AskOptions): Promise<StoredAnswer> {
  const { messageId, timeout, signal } = options;
  /** Aborts with the error of the question. */
  const over = new AbortController();
  const cancelled = (): void => over.abort(new CancelledError(signal?.reason));
  if (signal?.aborted === true) cancelled();
  over.signal.throwIfAborted();
  const forget = onAbort(signal, cancelled);
  const cancelLimit =
    timeout === undefined
      ? undefined
      : asking.clock.schedule(durationMs(timeout), () => over.abort(notInTime(asking)));
  try {
    const known = messageId === undefined ? undefined : await readAnswer(asking);
    return known ?? (await askAnew(asking, input, over));
  } catch (error) {
    if (!over.signal.aborted) throw error;
    const last = TimeoutError.is(over.signal.reason) ? await readAnswer(asking) : undefined;
    if (last !== undefined) return last;
    throw over.signal.reason;
  } finally {
    cancelLimit?.();
    forget();
    over.abort();
  }
}

async function askAnew(asking: Asking, input: string, over: AbortController): Promise<StoredAnswer> {
  const { provider, clock, instanceId } = asking;
  await refuseUnable(asking, over.signal);
  over.signal.throwIfAborted();
  await send(asking, input);
  void watch(asking, over);
  return waitUntil(provider, clock, instanceId, { signal: over.signal }, () => look(asking));
}

function notInTime({ instanceId, asked: { question, messageId } }: Asking): TimeoutError {
  return new TimeoutError(
    `question "${question}" to instance "${instanceId}" was not answered in time; it may have no handler for it (ctx.answer), or be busy. Ask again with { messageId: ${JSON.stringify(messageId)} } to get the answer that it gives meanwhile`,
  );
}

/** The value of the answer after the schema of the question. Throws QuestionError for a refusal. */
export function answerOf(instanceId: string, question: Named, stored: StoredAnswer): unknown {
  const { refusal, question: name, messageId } = stored;
  if (refusal !== undefined) {
    throw new QuestionError("question-refused", refusal.message, { instanceId, question: name, messageId });
  }
  if (typeof question === "string" || question.result === undefined) return stored.answer;
  return validateStored(question.result, stored.answer, `answer to question "${name}"`);
}

async function send({ provider, instanceId, asked, sentAs }: Asking, input: string): Promise<void> {
  const name = questionQueue(asked);
  try {
    await provider.enqueueForOrchestrator(
      { kind: "QueueMessage", instance: instanceId, name, data: input },
      0,
      { messageId: sentAs },
    );
  } catch (error) {
    throw withMessageId(error, asked.messageId, "the question may have been asked");
  }
}

/** ask.AK2 */
async function look(asking: Asking): Promise<StoredAnswer | undefined> {
  const answer = await readAnswer(asking);
  if (answer !== undefined) return answer;
  const status = await asking.provider.getInstanceStatus(asking.instanceId);
  if (!hasEnded(status?.status)) return undefined;
  const last = await readAnswer(asking);
  if (last !== undefined) return last;
  throw unable(asking, "ended", "has ended without an answer");
}

async function readAnswer({ provider, codec, instanceId, asked }: Asking): Promise<StoredAnswer | undefined> {
  const key = answerKey(asked);
  const text = (await provider.getKvValues(instanceId, key)).get(key);
  if (text === undefined) return undefined;
  const stored = attempt(() => codec.decode(text));
  if (!isStoredAnswer(stored)) {
    throw new ConfigurationError(
      `question "${asked.question}": the answer of instance "${instanceId}" cannot be read; the client needs the codec of the runtime that runs it`,
    );
  }
  return isRecentAnswer(stored.atMs, asked) ? stored : undefined;
}

function isStoredAnswer(decoded: unknown): decoded is StoredAnswer {
  return typeof decoded === "object" && decoded !== null && "atMs" in decoded;
}

/** ask.AK1 */
async function watch(asking: Asking, over: AbortController): Promise<void> {
  for (;;) {
    await sleep(asking.clock, LOOK_AGAIN_MS, over.signal);
    try {
      await refuseUnable(asking, over.signal);
    } catch (error) {
      if (!ProviderError.is(error) || !error.retryable) over.abort(error);
    }
    if (over.signal.aborted) return;
  }
}

/** Throws for an instance that cannot answer (ask.AK1). */
async function refuseUnable(asking: Asking, over: AbortSignal): Promise<void> {
  for (let patienceMs = PATIENCE_MS; !over.aborted; patienceMs -= PAUSE_MS) {
    const error = await obstacle(asking);
    if (error === undefined) return;
    if (patienceMs <= 0 || error.code === "ended" || error.code === "suspended") throw error;
    await sleep(asking.clock, PAUSE_MS, over);
  }
}

/** Why the instance cannot answer now; `undefined` if it can, or has. */
async function obstacle(asking: Asking): Promise<QuestionError | undefined> {
  const { provider, clock, instanceId } = asking;
  const [info, { blocked }] = await Promise.all([
    findInstance(provider.admin, instanceId),
    provider.admin.listBlocked({ instanceId }),
  ]);
  if (hasEnded(info?.status)) {
    const answer = await readAnswer(asking);
    return answer === undefined ? unable(asking, "ended", "has ended") : undefined;
  }
  if (info?.suspended !== undefined)
    return unable(asking, "suspended", `is suspended: ${info.suspended.reason}`);
  const block = blocked.find(({ activity }) => activity === undefined);
  if (block !== undefined) return unable(asking, "blocked", `is blocked: ${block.detail}`);
  if (info !== undefined) return undefined;
  const start = await waitingStart(provider.admin, instanceId);
  if (start === undefined) return unable(asking, "not-found", "was not started");
  const missing = await missingCode(provider.admin, start, clock.now());
  return missing === undefined ? undefined : unable(asking, "blocked", `is blocked: ${missing}`);
}

function unable({ instanceId, asked }: Asking, code: QuestionErrorCode, why: string): QuestionError {
  const { question, messageId } = asked;
  return new QuestionError(code, `question "${question}": instance "${instanceId}" ${why}`, {
    instanceId,
    question,
    messageId,
  });
}
