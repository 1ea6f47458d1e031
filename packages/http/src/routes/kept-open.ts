/**
 * Answers that stay open while there is nothing to send.
 *
 * - kept-open.KO1: Something is sent at least every 15 s, so that no proxy takes the connection for a dead one, and a
 *   client that has gone is noticed.
 * - kept-open.KO2: When the server stops, the answer ends as a whole one: its client comes back, to another process.
 * - kept-open.KO3: A reader that is slow is waited for: at most one part is read for it ahead, and no heartbeats pile up.
 * - kept-open.KO4: However the answer ends, the parts behind it are cancelled: a reading that stands at a value nobody has
 *   taken hears of no signal, and what a part that is awaited rejects with is for nobody.
 */
import { type Clock, onAbort, sleep } from "@duroxide-ts/core/browser";

export interface KeptOpen {
  readonly clock: Clock;
  readonly stopping: AbortSignal | undefined;
  /** Ends the reading behind the answer. */
  readonly end: () => void;
  /** Hears why a part could not be read. */
  readonly failed?: (error: unknown) => void;
  /** Text that a reader of the answer passes over. */
  readonly heartbeat: string;
  /** The answer in place of one that ends at once and has nothing. */
  readonly whenEmpty?: Response;
}

const HEARTBEAT_MS = 15_000;
/** Time in which an answer that has nothing is expected to end, ms. */
const EMPTY_MS = 500;

/** The answer, kept open. Rejects where its first part fails soon. */
export async function keptOpen(response: Response, options: KeptOpen): Promise<Response> {
  const { clock, stopping, heartbeat, whenEmpty } = options;
  const parts = response.body?.getReader();
  if (parts === undefined) return response;
  const end = (): void => {
    options.end();
    parts.cancel().catch(() => {});
  };
  let next: Part | undefined;
  if (whenEmpty !== undefined) {
    next = parts.read();
    const first = await Promise.race([next, sleep(clock, EMPTY_MS, stopping)]);
    if (first?.done === true) {
      end();
      return whenEmpty;
    }
  }
  const beat = new TextEncoder().encode(heartbeat);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        next ??= parts.read();
        const found = await nextOr(next, clock, stopping).catch((error: unknown) => {
          options.failed?.(error);
          end();
          throw error;
        });
        if (found === "beat") return controller.enqueue(beat);
        next = undefined;
        if (found !== "stopped" && !found.done) return controller.enqueue(found.value);
        end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}

type Part = ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>;

/** Resolves with the next part, or with what comes before it; leaves nothing on the signal. */
function nextOr(
  next: Part,
  clock: Clock,
  stopping: AbortSignal | undefined,
): Promise<Awaited<Part> | "beat" | "stopped"> {
  if (stopping?.aborted === true) return Promise.resolve("stopped");
  return new Promise((resolve, reject) => {
    const cancel = clock.schedule(HEARTBEAT_MS, () => settle("beat"));
    const forget = onAbort(stopping, () => settle("stopped"));
    const settle = (found: Awaited<Part> | "beat" | "stopped"): void => {
      cancel();
      forget();
      resolve(found);
    };
    next.then(settle, (error: unknown) => {
      cancel();
      forget();
      reject(error);
    });
  });
}
