/** Atomic writes within one partition. Every write of the provider is a batch, including single ones. */
import type { JSONObject, OperationInput } from "@azure/cosmos";
import type { Body, Stored, Written } from "../documents/body.ts";
import { leanBody } from "../documents/lean.ts";

export type BatchOperation =
  | { readonly kind: "create" | "upsert"; readonly body: Body }
  | { readonly kind: "replace"; readonly id: string; readonly body: Body; readonly ifMatch?: string }
  | { readonly kind: "delete"; readonly id: string; readonly ifMatch?: string }
  /** The batch is refused where the document is gone. */
  | { readonly kind: "read"; readonly id: string }
  | {
      readonly kind: "set";
      readonly id: string;
      readonly values: Body;
      readonly ifMatch?: string;
      /** A condition on the stored document, such as `FROM c WHERE c.createdAt = 5`. */
      readonly onlyIf?: string;
    };

/** `repeated`: an earlier attempt got no response, and may have caused this outcome. */
export type BatchOutcome =
  | {
      readonly ok: true;
      /** Empty texts for deleted documents, and where `returnsDocuments` is false. */
      readonly etags: readonly string[];
      /** The service's numbers of the documents, if it returns them. */
      readonly rids: readonly (string | undefined)[];
      /** The document that the batch read. */
      readonly document?: Stored | undefined;
      readonly repeated: boolean;
    }
  | {
      readonly ok: false;
      /** The refused operation; no part of the batch is stored. */
      readonly index: number;
      readonly status: number;
      readonly repeated: boolean;
    };

export function written(etag = "", rid: string | undefined): Written {
  return rid === undefined ? { _etag: etag } : { _etag: etag, _rid: rid };
}

/** The ETags and numbers of the documents that a batch created or replaced, by their ids. */
export function writtenBy(
  operations: readonly BatchOperation[],
  { etags, rids }: Extract<BatchOutcome, { ok: true }>,
): ReadonlyMap<string, Written> {
  return new Map(
    operations.flatMap((each, index): [string, Written][] =>
      each.kind === "create" || each.kind === "replace"
        ? [[String(each.body["id"]), written(etags[index], rids[index])]]
        : [],
    ),
  );
}

/**
 * Whether the response has the documents. A batch that patches several documents declines them: a response has at most
 * 2 MB, and the patches of large documents would exceed it. No caller needs the ETags and numbers of such a batch.
 */
export function returnsDocuments(operations: readonly BatchOperation[]): boolean {
  return operations.filter(({ kind }) => kind === "set").length < 2;
}

/** Limits of the service (docs/reference/cosmos-protocol.md §3.1), with room for what surrounds the documents. */
export const MAX_OPERATIONS = 100;
export const MAX_BATCH_BYTES = 1_900_000;
export const MAX_DOCUMENT_BYTES = 2_000_000;

export function toInput(operation: BatchOperation): OperationInput {
  switch (operation.kind) {
    case "create":
      return { operationType: "Create", resourceBody: leanBody(operation.body) as JSONObject };
    case "upsert":
      return { operationType: "Upsert", resourceBody: leanBody(operation.body) as JSONObject };
    case "replace":
      return {
        operationType: "Replace",
        id: operation.id,
        resourceBody: leanBody(operation.body) as JSONObject,
        ...condition(operation),
      };
    case "delete":
      // The library's type lacks the condition, which the protocol has.
      return { operationType: "Delete", id: operation.id, ...condition(operation) } as OperationInput;
    case "read":
      return { operationType: "Read", id: operation.id };
    case "set":
      return {
        operationType: "Patch",
        id: operation.id,
        resourceBody: {
          ...(operation.onlyIf !== undefined && { condition: operation.onlyIf }),
          operations: Object.entries(operation.values).map(([name, value]) => ({
            op: "set" as const,
            path: `/${name}`,
            value,
          })),
        },
        ...condition(operation),
      };
  }
}

function condition({ ifMatch }: { readonly ifMatch?: string }): { readonly ifMatch?: string } {
  return ifMatch === undefined ? {} : { ifMatch };
}

/** The bytes that the operation adds to a request. */
export function sizeOf(operation: BatchOperation): number {
  const overhead = 200;
  if (operation.kind === "delete" || operation.kind === "read") return overhead;
  const body = operation.kind === "set" ? operation.values : operation.body;
  return overhead + Buffer.byteLength(JSON.stringify(body));
}
