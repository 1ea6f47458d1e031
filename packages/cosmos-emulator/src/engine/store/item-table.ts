/** A container's table of items: its statements, and nothing about what they mean. */
import type { Connection } from "./connection.ts";
import type { ItemRow } from "./item-row.ts";

/** The columns of a row that a later write changes. */
export type ItemChange = Pick<ItemRow, "seq" | "body" | "etag" | "ts" | "lsn" | "expires_at" | "terms">;

export interface RemovedRow {
  readonly epk: string;
  /** Size in bytes of the item's UTF-8 text. */
  readonly bytes: number;
}

const COLUMNS = "seq, pk, epk, body, etag, ts, lsn, expires_at, terms";

export class ItemTable {
  readonly name: string;
  readonly #connection: Connection;
  readonly #find: string;
  readonly #read: string;
  readonly #insert: string;
  readonly #restore: string;
  readonly #update: string;
  readonly #remove: string;
  readonly #removeExpired: string;

  constructor(connection: Connection, name: string) {
    this.#connection = connection;
    this.name = name;
    this.#find = `SELECT ${COLUMNS} FROM ${name} WHERE pk = ? AND id = ?`;
    this.#read = `SELECT body, etag, expires_at FROM ${name} WHERE pk = ? AND id = ?`;
    this.#insert = `INSERT INTO ${name} (${COLUMNS}, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    this.#restore = `INSERT INTO ${name} (${COLUMNS}, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ? ->> '$.id')`;
    this.#update = `UPDATE ${name} SET body = ?, etag = ?, ts = ?, lsn = ?, expires_at = ?, terms = ? WHERE seq = ?`;
    this.#remove = `DELETE FROM ${name} WHERE seq = ?`;
    this.#removeExpired = `DELETE FROM ${name} WHERE expires_at <= ? RETURNING epk, octet_length(body) AS bytes`;
  }

  find(pk: string, id: string): ItemRow | undefined {
    return this.#connection.get<ItemRow>(this.#find, pk, id);
  }

  /** Reads what a point read answers, without the rest of the row. */
  read(pk: string, id: string): Pick<ItemRow, "body" | "etag" | "expires_at"> | undefined {
    return this.#connection.get(this.#read, pk, id);
  }

  /** Returns all rows of a logical partition, in the order of their insertion. */
  allOf(pk: string): readonly ItemRow[] {
    return this.#connection.all<ItemRow>(`SELECT ${COLUMNS} FROM ${this.name} WHERE pk = ? ORDER BY seq`, pk);
  }

  /** Returns all texts, in the order of their insertion. */
  bodies(): readonly string[] {
    const rows = this.#connection.all<Pick<ItemRow, "body">>(`SELECT body FROM ${this.name} ORDER BY seq`);
    return rows.map(({ body }) => body);
  }

  /** Inserts a row. Throws what SQLite throws for a second row with the same key, id or unique values. */
  insert(id: string, { seq, pk, epk, body, etag, ts, lsn, expires_at, terms }: ItemRow): void {
    this.#connection.run(this.#insert, seq, pk, epk, body, etag, ts, lsn, expires_at, terms, id);
  }

  /** Puts back a row that was removed or changed. */
  restore({ seq, pk, epk, body, etag, ts, lsn, expires_at, terms }: ItemRow): void {
    this.#connection.run(this.#restore, seq, pk, epk, body, etag, ts, lsn, expires_at, terms, body);
  }

  update({ seq, body, etag, ts, lsn, expires_at, terms }: ItemChange): void {
    this.#connection.run(this.#update, body, etag, ts, lsn, expires_at, terms, seq);
  }

  remove(seq: number): void {
    this.#connection.run(this.#remove, seq);
  }

  removeExpired(nowMs: number): readonly RemovedRow[] {
    return this.#connection.all<RemovedRow>(this.#removeExpired, nowMs);
  }

  /** Finds the id of the item with this number of insertion. */
  idOf(seq: number): string | undefined {
    const sql = `SELECT body -> '$.id' AS id FROM ${this.name} WHERE seq = ?`;
    const row = this.#connection.get<{ id: string }>(sql, seq);
    return row === undefined ? undefined : String(JSON.parse(row.id));
  }
}
