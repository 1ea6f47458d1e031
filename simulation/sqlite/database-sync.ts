/**
 * `DatabaseSync` of `node:sqlite`, as far as the SQLite provider uses it, on SQLite as WebAssembly and the simulated disk.
 * The provider's one import of `node:sqlite` leads here (redirect.ts).
 */
import { simulatedSqlite } from "./engine.ts";
import { VFS_NAME } from "./file-system.ts";
import { Texts } from "./texts.ts";
import type { Capi, Pointer, RawFunctions, Wasm } from "./wasm-api.ts";

type Value = string | number | null;
type Row = Record<string, unknown>;

const OPEN_READONLY = 0x1;
const OPEN_READWRITE_CREATE = 0x6;
const ROW = 100;
const DONE = 101;
const OK = 0;
const INTEGER = 1;
const FLOAT = 2;
const TEXT = 3;
const NULL = 5;
/** SQLite frees the text itself. */
const COPIED = -1;

export class DatabaseSync {
  readonly #capi: Capi;
  readonly #wasm: Wasm;
  readonly #texts: Texts;
  #db: Pointer;

  constructor(path: string, { readOnly = false }: { readonly readOnly?: boolean } = {}) {
    const { capi, wasm } = simulatedSqlite();
    this.#capi = capi;
    this.#wasm = wasm;
    this.#texts = Texts.of(wasm);
    const target = wasm.alloc(8);
    const flags = readOnly ? OPEN_READONLY : OPEN_READWRITE_CREATE;
    const code = capi.sqlite3_open_v2(path, target, flags, VFS_NAME);
    this.#db = wasm.peekPtr(target);
    wasm.dealloc(target);
    if (code !== OK) throw this.#error();
    capi.sqlite3_extended_result_codes(this.#db, 1);
    this.exec("PRAGMA foreign_keys = ON");
  }

  exec(sql: string): void {
    if (this.#capi.sqlite3_exec(this.#db, sql, 0, 0, 0) !== OK) throw this.#error();
  }

  prepare(sql: string): StatementSync {
    const { exports } = this.#wasm;
    const target = this.#wasm.alloc(8);
    const code = this.#texts.lend(sql, (text, bytes) =>
      exports.sqlite3_prepare_v2(this.#db, text, bytes, target, 0),
    );
    const statement = this.#wasm.peekPtr(target);
    this.#wasm.dealloc(target);
    if (code !== OK) throw this.#error();
    return new StatementSync(exports, this.#texts, {
      db: this.#db,
      statement,
      error: () => this.#error(),
    });
  }

  /** Statements that are still there keep the connection open, as in `node:sqlite`, until they are collected. */
  close(): void {
    for (const statement of STATEMENTS.get(this.#db) ?? []) this.#wasm.exports.sqlite3_finalize(statement);
    STATEMENTS.delete(this.#db);
    this.#capi.sqlite3_close_v2(this.#db);
    this.#db = 0;
  }

  #error(): Error {
    const errcode = this.#capi.sqlite3_extended_errcode(this.#db);
    return Object.assign(new Error(this.#capi.sqlite3_errmsg(this.#db)), {
      code: "ERR_SQLITE_ERROR",
      errcode,
    });
  }
}

/** Statements of each connection, so that closing it ends them. */
const STATEMENTS = new Map<Pointer, Set<Pointer>>();

interface StatementParts {
  readonly db: Pointer;
  readonly statement: Pointer;
  readonly error: () => Error;
}

export class StatementSync {
  readonly #raw: RawFunctions;
  readonly #texts: Texts;
  readonly #parts: StatementParts;
  #columns: readonly string[] | undefined;

  constructor(raw: RawFunctions, texts: Texts, parts: StatementParts) {
    this.#raw = raw;
    this.#texts = texts;
    this.#parts = parts;
    const all = STATEMENTS.get(parts.db) ?? new Set();
    STATEMENTS.set(parts.db, all.add(parts.statement));
  }

  run(...values: Value[]): { readonly changes: number; readonly lastInsertRowid: number } {
    this.#rows(values, Number.POSITIVE_INFINITY);
    const { db } = this.#parts;
    return {
      changes: this.#raw.sqlite3_changes(db),
      lastInsertRowid: Number(this.#raw.sqlite3_last_insert_rowid(db)),
    };
  }

  get(...values: Value[]): Row | undefined {
    return this.#rows(values, 1)[0];
  }

  all(...values: Value[]): Row[] {
    return this.#rows(values, Number.POSITIVE_INFINITY);
  }

  #rows(values: readonly Value[], most: number): Row[] {
    const { statement, error } = this.#parts;
    const raw = this.#raw;
    const rows: Row[] = [];
    try {
      for (let at = 0; at < values.length; at++) this.#bind(at + 1, values[at] ?? null);
      for (;;) {
        const code = raw.sqlite3_step(statement);
        if (code === DONE) return rows;
        if (code !== ROW) throw error();
        rows.push(this.#row());
        if (rows.length >= most) return rows;
      }
    } finally {
      raw.sqlite3_reset(statement);
      if (values.length > 0) raw.sqlite3_clear_bindings(statement);
    }
  }

  #bind(index: number, value: Value): void {
    const { statement, error } = this.#parts;
    if (value === null) this.#raw.sqlite3_bind_null(statement, index);
    else if (typeof value === "number") this.#raw.sqlite3_bind_double(statement, index, value);
    else {
      const code = this.#texts.lend(value, (text, bytes) =>
        this.#raw.sqlite3_bind_text(statement, index, text, bytes, COPIED),
      );
      if (code !== OK) throw error();
    }
  }

  #row(): Row {
    const row = Object.create(null) as Row;
    this.#columns ??= this.#columnNames();
    const columns = this.#columns;
    for (let at = 0; at < columns.length; at++) row[columns[at] ?? ""] = this.#value(at);
    return row;
  }

  #columnNames(): readonly string[] {
    const { statement } = this.#parts;
    return Array.from({ length: this.#raw.sqlite3_column_count(statement) }, (_, at) =>
      this.#texts.terminated(this.#raw.sqlite3_column_name(statement, at)),
    );
  }

  #value(at: number): unknown {
    const { statement } = this.#parts;
    const raw = this.#raw;
    switch (raw.sqlite3_column_type(statement, at)) {
      case NULL:
        return null;
      case INTEGER:
      case FLOAT:
        return raw.sqlite3_column_double(statement, at);
      case TEXT: {
        const start = raw.sqlite3_column_blob(statement, at);
        return this.#texts.read(start, raw.sqlite3_column_bytes(statement, at));
      }
      default: {
        const start = raw.sqlite3_column_blob(statement, at);
        return this.#texts.bytes(start, raw.sqlite3_column_bytes(statement, at));
      }
    }
  }
}
