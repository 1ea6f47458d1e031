/** A container's table without an engine around it (docs/decisions/local-endpoint.md), and queries on it. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { CosmosError } from "../../../src/protocol/cosmos-error.ts";
import type { JsonObject, JsonValue } from "../../../src/protocol/json.ts";
import {
  parseQuery,
  type QueryOptions,
  type QueryPage,
  runQuery,
  Statements,
} from "../../../src/sql/index.ts";

export const nowMs: number = Date.UTC(2024, 1, 29, 12, 30, 45, 678);

/** Values by name with `@`. */
export type Parameters = Readonly<Record<string, JsonValue>>;

export class TestContainer {
  readonly db: DatabaseSync = new DatabaseSync(":memory:");
  readonly statements: Statements = new Statements(this.db, () => this.clockMs);
  /** A name that has to be quoted. */
  readonly table = '"docs ""1"';
  clockMs: number = nowMs;

  constructor(documents: readonly JsonObject[] = []) {
    this.db.exec(
      `CREATE TABLE ${this.table} (seq INTEGER PRIMARY KEY AUTOINCREMENT, pk TEXT, epk TEXT, id TEXT, body TEXT,
       etag TEXT, ts INTEGER, lsn INTEGER, expires_at INTEGER, UNIQUE (pk, id))`,
    );
    for (const document of documents) {
      this.insert(document);
    }
  }

  /** The partition key is the property `pk`. */
  insert(document: JsonObject, body: string = JSON.stringify(document)): void {
    const pk = JSON.stringify([document["pk"] ?? {}]);
    const id = String(document["id"] ?? crypto.randomUUID());
    this.db
      .prepare(`INSERT INTO ${this.table} (pk, epk, id, body) VALUES (?, ?, ?, ?)`)
      .run(pk, pk < '["m"]' ? "1A" : "3F", id, body);
  }

  remove(id: string): void {
    this.db.prepare(`DELETE FROM ${this.table} WHERE id = ?`).run(id);
  }

  page(text: string, parameters: Parameters = {}, options: Partial<PageOptions> = {}): QueryPage {
    const { conditions = [], ...queryOptions } = options;
    return runQuery(
      this.statements,
      parseQuery(text),
      { table: this.table, conditions },
      {
        parameters: new Map(Object.entries(parameters)),
        maxItems: 1000,
        maxBytes: 4 * 1024 * 1024,
        ...queryOptions,
      },
    );
  }

  /** All rows of all pages. */
  query(text: string, parameters: Parameters = {}, options: Partial<PageOptions> = {}): JsonValue[] {
    return this.pages(text, parameters, options).flat();
  }

  /** The rows of each page. */
  pages(text: string, parameters: Parameters = {}, options: Partial<PageOptions> = {}): JsonValue[][] {
    const pages: JsonValue[][] = [];
    let continuation: string | undefined;
    do {
      const page = this.page(text, parameters, { ...options, ...(continuation && { continuation }) });
      pages.push(page.rows.map((row) => JSON.parse(row) as JsonValue));
      continuation = page.continuation;
    } while (continuation !== undefined);
    return pages;
  }
}

type PageOptions = QueryOptions & {
  readonly conditions: readonly { readonly sql: string; readonly values: readonly SQLInputValue[] }[];
};

/** The value of an expression; undefined if it has none. */
export function evaluate(expression: string, parameters: Parameters = {}): JsonValue | undefined {
  const [value] = new TestContainer().query(`SELECT VALUE ${expression}`, parameters);
  return value;
}

/** The error that the call throws. */
export function errorOf(run: () => unknown): CosmosError {
  try {
    run();
  } catch (error) {
    if (error instanceof CosmosError) {
      return error;
    }
    throw error;
  }
  throw new Error("nothing was thrown");
}

export interface ReportedError {
  readonly severity: string;
  readonly location: { readonly start: number; readonly end: number };
  readonly code: string;
  readonly message: string;
}

/** The error that the message of a refused query holds. */
export function queryErrorOf(run: () => unknown): ReportedError {
  const error = errorOf(run);
  const body = JSON.parse(error.message) as { errors: [ReportedError] };
  if (error.status !== 400 || error.code !== "BadRequest" || body.errors.length !== 1) {
    throw error;
  }
  return body.errors[0];
}
