/** The tools of every part of the engine: the connection, the settings, and the transaction that writes items. */
import { compilePredicate, type DocumentTest, parseQuery, type Query, Statements } from "../../sql/index.ts";
import type { EngineOptions } from "../options.ts";
import type { Connection } from "./connection.ts";
import { Recent } from "./recent.ts";
import { WriteTransaction } from "./write-transaction.ts";

/** Number of queries that are kept: programs send few texts, with parameters. */
const RECENT_QUERIES = 500;

export class Store {
  readonly connection: Connection;
  /** Statements of queries and conditions. */
  readonly statements: Statements;
  readonly settings: EngineOptions;
  readonly #queries = new Recent<string, Query>(RECENT_QUERIES);
  readonly #conditions = new Recent<string, DocumentTest>(RECENT_QUERIES);
  #current: WriteTransaction | undefined;

  constructor(connection: Connection, settings: EngineOptions) {
    this.connection = connection;
    this.statements = new Statements(connection.database, settings.now);
    this.settings = settings;
  }

  /** Returns the transaction that is open now, if any. */
  get current(): WriteTransaction | undefined {
    return this.#current;
  }

  now(): number {
    return this.#current?.nowMs ?? this.settings.now();
  }

  /** Parses a query. Throws 400 if the text is none. */
  parsedQuery(text: string): Query {
    return this.#queries.get(text, parseQuery);
  }

  /** Tells whether the condition of a patch is true for an item's body; 400 if it is no condition. */
  holds(condition: string, body: string): boolean {
    return this.#conditions.get(condition, compilePredicate)(this.statements, body);
  }

  /**
   * Runs `run` in the open transaction, or in one of its own. A single operation refuses before its first write,
   * so that no part of it needs undoing when the surrounding transaction continues.
   */
  write<T>(run: (transaction: WriteTransaction) => T): T {
    return this.#current === undefined ? this.#begin(run) : run(this.#current);
  }

  /** Works as `write`, but everything that `run` did is undone if it throws, inside an open transaction too. */
  atomically<T>(run: (transaction: WriteTransaction) => T): T {
    const outer = this.#current;
    if (outer === undefined) return this.#begin(run);
    const forget = outer.savepoint();
    try {
      return this.connection.transaction(() => run(outer));
    } catch (error) {
      forget();
      throw error;
    }
  }

  #begin<T>(run: (transaction: WriteTransaction) => T): T {
    const transaction = new WriteTransaction(this.settings.now());
    this.#current = transaction;
    try {
      const result = this.connection.transaction(() => {
        const value = run(transaction);
        transaction.store(this.connection);
        return value;
      });
      transaction.publish();
      return result;
    } finally {
      this.#current = undefined;
    }
  }
}
