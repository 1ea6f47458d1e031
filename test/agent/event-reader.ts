/** A client of server-sent events that does what the page does: it comes back, and takes back what a reset makes void. */
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentPart } from "@duroxide-ts/ai";

export type Shown = AgentPart | { readonly type: "question"; readonly text: string };

const OF_THE_MODEL: ReadonlySet<string> = new Set(["text", "reasoning", "tool-call", "finish"]);
/** The service is started again meanwhile. */
const PAUSE_MS = 20;

export class EventReader {
  readonly #parts = new Map<number, Shown>();
  readonly #over = new AbortController();
  readonly #changed: (part: Shown) => void;
  #lastId: string | undefined;
  /** Offsets that have come twice without a reset between. */
  readonly repeated: number[] = [];
  /** Resets that took something back. */
  resets = 0;
  readonly ended: Promise<void>;

  /** `address` is read for each connection, because a restarted service may be elsewhere. */
  constructor(address: () => string, changed: (part: Shown) => void) {
    this.#changed = changed;
    this.ended = this.#read(address);
  }

  get parts(): readonly Shown[] {
    return [...this.#parts].sort(([one], [other]) => one - other).map(([, part]) => part);
  }

  stop(): void {
    this.#over.abort();
  }

  async #read(address: () => string): Promise<void> {
    while (!this.#over.signal.aborted) {
      try {
        const headers: Record<string, string> =
          this.#lastId === undefined ? {} : { "last-event-id": this.#lastId };
        const response = await fetch(address(), { headers, signal: this.#over.signal });
        if (response.status === 204) return;
        if (!response.ok) throw new Error(String(response.status));
        await this.#take(response);
      } catch {
        await sleep(PAUSE_MS);
      }
    }
  }

  async #take(response: Response): Promise<void> {
    let rest = "";
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = `${rest}${chunk}`.split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) this.#apply(event);
    }
  }

  #apply(text: string): void {
    const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1];
    const data = field("data");
    if (data === undefined) return;
    if (field("event") === "reset") {
      this.#reset((JSON.parse(data) as { fromOffset: number }).fromOffset);
      return;
    }
    const offset = Number(field("id"));
    if (this.#parts.has(offset)) this.repeated.push(offset);
    const part = JSON.parse(data) as Shown;
    this.#parts.set(offset, part);
    this.#lastId = String(offset);
    this.#changed(part);
  }

  #reset(from: number): void {
    const before = this.#parts.size;
    for (const [offset, { type }] of this.#parts)
      if (offset >= from && OF_THE_MODEL.has(type)) this.#parts.delete(offset);
    if (this.#parts.size < before) this.resets++;
  }
}
