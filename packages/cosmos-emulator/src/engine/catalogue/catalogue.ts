/** Everything but items: one row for each database, container, procedure and offer, with the body that is answered. */
import { formatEtag } from "../../protocol/etag.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { writeJson } from "../../protocol/json-text.ts";
import type { Connection } from "../store/connection.ts";

export type ResourceKind = "dbs" | "colls" | "offers" | "sprocs";

/** A resource as it is stored and answered. */
export interface Resource {
  /** The number of the row, never used twice. */
  readonly seq: number;
  readonly id: string;
  readonly rid: string;
  /** JSON text, system properties included. */
  readonly body: string;
  readonly etag: string;
}

/** The parts of a new resource. */
export interface NewResource {
  readonly kind: ResourceKind;
  /** The `_rid` of the owner, "" at the top. */
  readonly parent: string;
  readonly id: string;
  /** The body without system properties. */
  readonly own: JsonObject;
  /** Properties of the endpoint that stand between `_etag` and `_ts`, such as `_colls`. */
  readonly links?: JsonObject;
}

/** The rules that make the `_rid` and the link of a resource from its number. */
export interface Naming {
  rid(number: number): string;
  self(rid: string): string;
}

const COLUMNS = "seq, id, rid, body, etag";

export class Catalogue {
  readonly #connection: Connection;
  readonly #now: () => number;
  /** A number of the store; makes its ids differ from those of other stores. */
  readonly salt: number;

  constructor(connection: Connection, now: () => number) {
    this.#connection = connection;
    this.#now = now;
    this.salt = connection.get<{ salt: number }>("SELECT salt FROM store")?.salt ?? 0;
  }

  /** Finds a resource by name or by `_rid`. */
  find(kind: ResourceKind, parent: string, idOrRid: string): Resource | undefined {
    const where = `SELECT ${COLUMNS} FROM resources WHERE kind = ? AND parent = ?`;
    return (
      this.#connection.get<Resource>(`${where} AND id = ?`, kind, parent, idOrRid) ??
      this.#connection.get<Resource>(`${where} AND rid = ?`, kind, parent, idOrRid)
    );
  }

  /** Lists resources in the order of their creation. */
  list(kind: ResourceKind, parent: string): readonly Resource[] {
    return this.#connection.all<Resource>(
      `SELECT ${COLUMNS} FROM resources WHERE kind = ? AND parent = ? ORDER BY seq`,
      kind,
      parent,
    );
  }

  count(kind: ResourceKind, parent: string): number {
    const sql = "SELECT count(*) AS n FROM resources WHERE kind = ? AND parent = ?";
    return this.#connection.get<{ n: number }>(sql, kind, parent)?.n ?? 0;
  }

  /** Inserts a resource, whose id must be free. */
  insert(resource: NewResource, naming: Naming): Resource {
    const sql = "SELECT seq FROM sqlite_sequence WHERE name = 'resources'";
    const seq = (this.#connection.get<{ seq: number }>(sql)?.seq ?? 0) + 1;
    const rid = naming.rid(seq);
    const { etag, timestamp } = this.#stamp(seq);
    const body = resourceBody(resource, { rid, self: naming.self(rid), etag, timestamp });
    this.#connection.run(
      "INSERT INTO resources (seq, kind, parent, id, rid, body, etag, ts) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      seq,
      resource.kind,
      resource.parent,
      resource.id,
      rid,
      body,
      etag,
      timestamp,
    );
    return { seq, id: resource.id, rid, body, etag };
  }

  replace({ seq, rid }: Resource, replacement: NewResource, naming: Naming): Resource {
    const { etag, timestamp } = this.#stamp(seq);
    const body = resourceBody(replacement, { rid, self: naming.self(rid), etag, timestamp });
    const sql = "UPDATE resources SET id = ?, body = ?, etag = ?, ts = ? WHERE seq = ?";
    this.#connection.run(sql, replacement.id, body, etag, timestamp, seq);
    return { seq, id: replacement.id, rid, body, etag };
  }

  remove({ seq }: Resource): void {
    this.#connection.run("DELETE FROM resources WHERE seq = ?", seq);
  }

  /** Removes all resources with this owner. */
  removeOwnedBy(rid: string): void {
    this.#connection.run("DELETE FROM resources WHERE parent = ?", rid);
  }

  #stamp(owner: number): { readonly etag: string; readonly timestamp: number } {
    this.#connection.run("UPDATE store SET changes = changes + 1");
    const lsn = this.#connection.get<{ changes: number }>("SELECT changes FROM store")?.changes ?? 0;
    const timestamp = Math.floor(this.#now() / 1000);
    return { etag: formatEtag({ lsn, ordinal: 0, owner, timestamp }), timestamp };
  }
}

interface Stamped {
  readonly rid: string;
  readonly self: string;
  readonly etag: string;
  readonly timestamp: number;
}

function resourceBody({ id, own, links }: NewResource, { rid, self, etag, timestamp }: Stamped): string {
  return writeJson({ ...own, id, _rid: rid, _self: self, _etag: etag, ...links, _ts: timestamp });
}
