/**
 * `DatabaseSync` of `node:sqlite`, as far as the SQLite provider uses it, on SQLite as WebAssembly and the simulated disk.
 * The provider's one import of `node:sqlite` leads here (redirect.ts).
 */
import { simulatedSqlite } from "./engine.ts";
import { VFS_NAME } from "./file-system.ts";
import type { Capi, Pointer, Wasm } from "./wasm-api.ts";

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

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class DatabaseSync {
  readonly #capi: Capi;
  readonly #wasm: Wasm;
  #db: Pointer;

  constructor(path: string, { readOnly = false }: { readonly readOnly?: boolean } = {}) {
    const { capi, wasm } = simulatedSqlite();
    this.#capi = capi;
    this.#wasm = wasm;
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
    const target = this.#wasm.alloc(8);
    const code = this.#capi.sqlite3_prepare_v2(this.#db, sql, -1, target, null);
    const statement = this.#wasm.peekPtr(target);
    this.#wasm.dealloc(target);
    if (code !== OK) throw this.#error();
    return new StatementSync(this.#capi, this.#wasm, { db: this.#db, statement, error: () => this.#error() });
  }

  /** Statements that are still there keep the connection open, as in `node:sqlite`, until they are collected. */
  close(): void {
    for (const statement of STATEMENTS.get(this.#db) ?? []) this.#capi.sqlite3_finalize(statement);
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

/** Of each connection, so that closing it ends them. */
const STATEMENTS = new Map<Pointer, Set<Pointer>>();

interface StatementParts {
  readonly db: Pointer;
  readonly statement: Pointer;
  readonly error: () => Error;
}

export class StatementSync {
  readonly #capi: Capi;
  readonly #wasm: Wasm;
  readonly #parts: StatementParts;

  constructor(capi: Capi, wasm: Wasm, parts: StatementParts) {
    this.#capi = capi;
    this.#wasm = wasm;
    this.#parts = parts;
    const all = STATEMENTS.get(parts.db) ?? new Set();
    STATEMENTS.set(parts.db, all.add(parts.statement));
  }

  run(...values: Value[]): { readonly changes: number; readonly lastInsertRowid: number } {
    this.all(...values);
    const { db } = this.#parts;
    return {
      changes: this.#capi.sqlite3_changes(db),
      lastInsertRowid: Number(this.#capi.sqlite3_last_insert_rowid(db)),
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
    const rows: Row[] = [];
    try {
      for (const [at, value] of values.entries()) this.#bind(at + 1, value);
      for (;;) {
        const code = this.#capi.sqlite3_step(statement);
        if (code === DONE) return rows;
        if (code !== ROW) throw error();
        rows.push(this.#row());
        if (rows.length >= most) return rows;
      }
    } finally {
      this.#capi.sqlite3_reset(statement);
      this.#capi.sqlite3_clear_bindings(statement);
    }
  }

  #bind(index: number, value: Value): void {
    const { statement, error } = this.#parts;
    if (value === null) this.#capi.sqlite3_bind_null(statement, index);
    else if (typeof value === "number") this.#capi.sqlite3_bind_double(statement, index, value);
    else {
      const bytes = encoder.encode(value);
      const text = this.#wasm.alloc(bytes.length + 1);
      this.#wasm.heap8u().set(bytes, text);
      const code = this.#capi.sqlite3_bind_text(statement, index, text, bytes.length, COPIED);
      this.#wasm.dealloc(text);
      if (code !== OK) throw error();
    }
  }

  #row(): Row {
    const { statement } = this.#parts;
    const row = Object.create(null) as Row;
    const count = this.#capi.sqlite3_column_count(statement);
    for (let at = 0; at < count; at++) row[this.#capi.sqlite3_column_name(statement, at)] = this.#value(at);
    return row;
  }

  #value(at: number): unknown {
    const { statement } = this.#parts;
    switch (this.#capi.sqlite3_column_type(statement, at)) {
      case NULL:
        return null;
      case INTEGER:
        return Number(this.#capi.sqlite3_column_int64(statement, at));
      case FLOAT:
        return this.#capi.sqlite3_column_double(statement, at);
      case TEXT:
        return decoder.decode(this.#bytes(at));
      default:
        return this.#bytes(at).slice();
    }
  }

  #bytes(at: number): Uint8Array {
    const { statement } = this.#parts;
    const start = this.#capi.sqlite3_column_blob(statement, at);
    return this.#wasm.heap8u().subarray(start, start + this.#capi.sqlite3_column_bytes(statement, at));
  }
}
