/**
 * The partition of the leases in memory, as far as slot leases use it: batches of one operation under ETags, times of
 * the service in whole seconds, documents that expire, and the one query. It takes the place of the client library's
 * container, so that everything above it is the code that runs on Cosmos DB.
 */
import type { Container, OperationInput, SqlQuerySpec } from "@azure/cosmos";
import type { Network } from "./network.ts";
import type { WorldTime } from "./world-time.ts";

export type StoredDocument = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly _etag: string;
  readonly _ts: number;
};

export type TableWatcher = (before: StoredDocument | undefined, after: StoredDocument) => void;

export class LeaseStore {
  readonly #world: WorldTime;
  readonly #documents = new Map<string, StoredDocument>();
  readonly #onTable: TableWatcher;
  #writes = 0;

  constructor(world: WorldTime, onTable: TableWatcher) {
    this.#world = world;
    this.#onTable = onTable;
  }

  /** What `Requests` takes for the container. */
  containerFor(network: Network): Container {
    const items = {
      batch: async ([operation]: readonly OperationInput[]) => {
        const statusCode = await network.sendLeases(() => this.#execute(operation));
        return { code: 200, result: [{ statusCode, eTag: "" }], headers: {} };
      },
      query: (spec: SqlQuerySpec) => ({
        fetchNext: async () => {
          const resources = await network.sendLeases(() => this.#select(spec));
          return { resources, requestCharge: 0 };
        },
      }),
    };
    return { items } as unknown as Container;
  }

  #execute(operation: OperationInput | undefined): number {
    const { operationType, id, ifMatch, resourceBody } = operation as unknown as {
      readonly operationType: "Create" | "Upsert" | "Replace" | "Delete";
      readonly id?: string;
      readonly ifMatch?: string;
      readonly resourceBody?: { readonly id: string };
    };
    const key = id ?? resourceBody?.id ?? "";
    const before = this.#get(key);
    if (operationType === "Create" && before !== undefined) return 409;
    if ((operationType === "Replace" || operationType === "Delete") && before === undefined) return 404;
    if (ifMatch !== undefined && ifMatch !== before?._etag) return 412;
    if (operationType === "Delete") this.#documents.delete(key);
    else this.#put(before, { ...resourceBody, id: key });
    return 200;
  }

  #put(before: StoredDocument | undefined, body: { readonly id: string }): void {
    const _etag = `"${++this.#writes}"`;
    const after: StoredDocument = { ...body, _etag, _ts: Math.floor(this.#world.now() / 1_000) };
    this.#documents.set(body.id, after);
    if (after["type"] === "slot_table") this.#onTable(before, after);
  }

  #select({ parameters = [] }: SqlQuerySpec): readonly StoredDocument[] {
    const tables = parameters[0]?.value as readonly string[];
    return [...this.#documents.keys()].flatMap((id) => {
      const document = this.#get(id);
      const isWanted = document?.["type"] === "slot_member" || tables.includes(id);
      return document !== undefined && isWanted ? [document] : [];
    });
  }

  #get(id: string): StoredDocument | undefined {
    const document = this.#documents.get(id);
    if (document === undefined) return undefined;
    const isExpired = (document._ts + Number(document["ttl"])) * 1_000 <= this.#world.now();
    return isExpired ? undefined : document;
  }
}
