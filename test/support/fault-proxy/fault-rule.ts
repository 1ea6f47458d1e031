/** Rules of a fault proxy: the requests that each hits, and its effect on them. */

/** A request as it arrived, before anything is done with it. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path with the query string. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Decoded as UTF-8. */
  readonly body: string;
}

/** The answer of the target. */
export interface ProxiedAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Decoded as UTF-8. */
  readonly body: string;
}

export type FaultEffect =
  /** Answered by the proxy. The target does not receive the request. */
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A JSON text. By default an error as Cosmos DB words it. */
      readonly body?: string;
    }
  /** The target carries out the request. Its answer is passed on as it is returned here. */
  | { readonly kind: "rewrite"; readonly change: (answer: ProxiedAnswer) => ProxiedAnswer }
  /** The connection is reset. The target does not receive the request. */
  | { readonly kind: "reset" }
  /** The target carries out the request. The connection is reset instead of an answer. */
  | { readonly kind: "lose-answer" };

export interface FaultRule {
  /** Tells which requests are hit; all by default. */
  readonly match?: (request: ProxiedRequest) => boolean;
  /** How many requests are hit before the rule ends; no limit by default. */
  readonly times?: number;
  readonly effect: FaultEffect;
}

/** A rule of a proxy. Disposing removes it. */
export class ActiveRule implements Disposable {
  readonly effect: FaultEffect;
  readonly #rule: FaultRule;
  readonly #remove: (rule: ActiveRule) => void;
  readonly #waiting: { readonly hits: number; readonly resolve: () => void }[] = [];
  #hits = 0;

  constructor(rule: FaultRule, remove: (rule: ActiveRule) => void) {
    this.#rule = rule;
    this.#remove = remove;
    this.effect = rule.effect;
  }

  /** Resolves when so many requests were hit. */
  untilHit(hits: number): Promise<void> {
    if (this.#hits >= hits) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ hits, resolve });
    return promise;
  }

  /** Whether this request is hit. Counts it. */
  takes(request: ProxiedRequest): boolean {
    const { match, times = Number.POSITIVE_INFINITY } = this.#rule;
    if (this.#hits >= times || match?.(request) === false) return false;
    this.#hits++;
    for (const { hits, resolve } of this.#waiting) if (this.#hits >= hits) resolve();
    return true;
  }

  [Symbol.dispose](): void {
    this.#remove(this);
  }
}
