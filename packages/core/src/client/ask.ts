/**
 * Asks an instance and waits for its answer (docs/decisions/questions.md).
 *
 * - ask.AK1: Nothing is sent to an instance that cannot answer. While a question waits, the state of its instance is read
 *   again, so it fails within `LOOK_AGAIN_MS` of a change.
 * - ask.AK2: The answer is read before and after the status: an instance may answer in its last turn.
 * - ask.AK3: Each call sends a message of its own, and the instance recognises a repetition by the id of the question.
 */
import { type Clock, sleep } from "../contract/clock.ts";
import type { Provider } from "../contract/provider.ts";
import { ProviderError } from "../contract/provider-error.ts";
import { hasEnded } from "../contract/status.ts";
import type { Named } from "../define/named.ts";
import { validateStored } from "../define/standard-schema.ts";
import { CancelledError, TimeoutError } from "../errors/duroxide-error.ts";
import { QuestionError, type QuestionErrorCode } from "../errors/question-error.ts";
import { checkOptions, type OptionList, optionList } from "../options/option-list.ts";
import type { PayloadCodec } from "../payload/payload-codec.ts";
import {
  type AskedQuestion,
  answerKey,
  isRecentAnswer,
  questionQueue,
  type StoredAnswer,
} from "../wire/question.ts";
import { findInstance, hasWaitingStart } from "./find-instance.ts";
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
export function checkAsk({ messageId, ...wait }: AskOptions): void {
  checkOptions("ask", { messageId, ...wait }, ASK_OPTIONS);
  checkWait("ask", wait);
  if (messageId !== undefined) checkMessageId(messageId);
}

/** Time between two looks at the state of an instance that does not answer, ms. */
const LOOK_AGAIN_MS = 3_000;
/** Time for which a start may be on its way, ms. */
const START_MS = 2_000;

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
  const { provider, clock, instanceId, asked } = asking;
  const { messageId, ...wait } = options;
  if (messageId !== undefined) {
    const known = await readAnswer(asking);
    if (known !== undefined) return known;
  }
  await refuseUnable(asking, START_MS);
  await send(asking, input);
  const unable = new AbortController();
  const over = new AbortController();
  const signals = wait.signal === undefined ? [unable.signal] : [wait.signal, unable.signal];
  void watch(asking, over.signal, (error) => unable.abort(error));
  try {
    return await waitUntil(provider, clock, instanceId, { ...wait, signal: AbortSignal.any(signals) }, () =>
      look(asking),
    );
  } catch (error) {
    if (CancelledError.is(error) && unable.signal.aborted && wait.signal?.aborted !== true)
      throw unable.signal.reason;
    if (!TimeoutError.is(error)) throw error;
    throw new TimeoutError(
      `question "${asked.question}" to instance "${instanceId}" was not answered in time; it may have no handler for it (ctx.answer), or be busy. Ask again with { messageId: ${JSON.stringify(asked.messageId)} } to get the answer that it gives meanwhile`,
    );
  } finally {
    over.abort();
  }
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
  const stored = text === undefined ? undefined : (codec.decode(text) as StoredAnswer);
  return stored !== undefined && isRecentAnswer(stored.atMs, asked) ? stored : undefined;
}

/** ask.AK1 */
async function watch(asking: Asking, over: AbortSignal, onUnable: (error: unknown) => void): Promise<void> {
  for (;;) {
    await sleep(asking.clock, LOOK_AGAIN_MS, over);
    if (over.aborted) return;
    try {
      await refuseUnable(asking, 0);
    } catch (error) {
      if (ProviderError.is(error) && error.retryable) continue;
      onUnable(error);
      return;
    }
  }
}

/** Throws for an instance that cannot answer now. One that is not found may be a start on its way, for `patienceMs`. */
async function refuseUnable(asking: Asking, patienceMs: number): Promise<void> {
  const { provider, clock, instanceId } = asking;
  const [info, { blocked }] = await Promise.all([
    findInstance(provider.admin, instanceId),
    provider.admin.listBlocked({ instanceId }),
  ]);
  if (hasEnded(info?.status)) {
    if ((await readAnswer(asking)) !== undefined) return;
    throw unable(asking, "ended", "has ended");
  }
  if (info?.suspended !== undefined)
    throw unable(asking, "suspended", `is suspended: ${info.suspended.reason}`);
  const block = blocked.find(({ activity }) => activity === undefined);
  if (block !== undefined) throw unable(asking, "blocked", `is blocked: ${block.detail}`);
  if (info !== undefined || (await hasWaitingStart(provider.admin, instanceId))) return;
  if (patienceMs <= 0) throw unable(asking, "not-found", "was not started");
  await sleep(clock, PAUSE_MS);
  await refuseUnable(asking, patienceMs - PAUSE_MS);
}

const PAUSE_MS = 500;

function unable({ instanceId, asked }: Asking, code: QuestionErrorCode, why: string): QuestionError {
  const { question, messageId } = asked;
  return new QuestionError(code, `question "${question}": instance "${instanceId}" ${why}`, {
    instanceId,
    question,
    messageId,
  });
}
