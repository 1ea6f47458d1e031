/** The operations on single items. Each refuses before its first write, so that no refusal leaves anything behind. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import { formatEtag, matchesEtag } from "../../protocol/etag.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { parseDocument } from "../../protocol/json-text.ts";
import { checkItemId } from "../../protocol/resource-name.ts";
import { countIndexTerms } from "../charges/index-terms.ts";
import {
  createCharge,
  deleteCharge,
  patchCharge,
  readCharge,
  replaceCharge,
} from "../charges/item-charges.ts";
import { type ContainerState, type LogicalPartition, wrongKey } from "../container-state.ts";
import type { ItemRow } from "../store/item-row.ts";
import type { WritePosition, WriteTransaction } from "../store/write-transaction.ts";
import type {
  DeleteOperation,
  ItemBody,
  ItemOperation,
  ItemResult,
  PatchItemOperation,
  PatchRequest,
  ReadOperation,
  ReplaceOperation,
  UpsertOperation,
  WriteOperation,
} from "./item-operation.ts";
import { isUniqueViolation, itemConflict, itemNotFound, preconditionFailed } from "./item-refusals.ts";
import { patchDocument } from "./patch/patch-document.ts";
import { storedBody, withoutSystemProperties } from "./stored-body.ts";
import { expiryOf, isExpired } from "./time-to-live.ts";

/** Runs one operation in the open transaction, or in one of its own. A refusal is a `CosmosError`. */
export function executeItem(
  state: ContainerState,
  logical: LogicalPartition,
  operation: ItemOperation,
): ItemResult {
  if (operation.kind === "read") return read(state, logical, operation);
  return state.store.write((transaction) => {
    const mayExpire = state.definition.defaultTtlSeconds !== undefined;
    if (mayExpire && transaction.beginSweep(state.table.name)) removeExpired(state, transaction);
    return change({ state, logical, transaction }, operation);
  });
}

function removeExpired(state: ContainerState, transaction: WriteTransaction): void {
  for (const { epk, bytes } of state.table.removeExpired(transaction.nowMs))
    transaction.recordExpiry(state.partitionOf(epk), bytes);
}

function change(write: ItemWrite, operation: WriteOperation): ItemResult {
  switch (operation.kind) {
    case "create":
      return create(write, ownDocument(write, operation.body));
    case "upsert":
      return upsert(write, operation);
    case "replace":
      return replace(write, operation);
    case "patch":
      return patch(write, operation);
    case "delete":
      return remove(write, operation);
  }
}

interface ItemWrite {
  readonly state: ContainerState;
  readonly logical: LogicalPartition;
  readonly transaction: WriteTransaction;
}

/** A document that belongs to the partition, without system properties. */
interface OwnDocument {
  readonly id: string;
  readonly properties: JsonObject;
}

function ownDocument({ state, logical: { text } }: ItemWrite, body: ItemBody): OwnDocument {
  const document = typeof body === "string" ? parseDocument(body) : body;
  const id = checkItemId(document, state.store.settings.lenient);
  if (state.keyTextOf(document) !== text) {
    throw wrongKey("The partition key of the request differs from the one in the item.");
  }
  return { id, properties: withoutSystemProperties(document) };
}

function read(state: ContainerState, logical: LogicalPartition, operation: ReadOperation): ItemResult {
  const { store, table } = state;
  const row = table.read(logical.text, operation.id);
  if (row === undefined || isExpired(row, store.now())) throw itemNotFound(operation.id);
  const lsn = state.lsnOf(logical.partition);
  const seen = { etag: row.etag, lsn, rangeId: logical.partition.id };
  if (operation.ifNoneMatch !== undefined && matchesEtag(operation.ifNoneMatch, row.etag)) {
    return { status: 304, charge: 1, ...seen };
  }
  return { status: 200, charge: readCharge(Buffer.byteLength(row.body)), body: row.body, ...seen };
}

function create(write: ItemWrite, { id, properties }: OwnDocument): ItemResult {
  const { state, logical, transaction } = write;
  const position = transaction.next(logical.partition);
  const written = versionOf(write, properties, position, state.nextSeq());
  refusingDuplicates(() => state.table.insert(id, { ...written.row, pk: logical.text, epk: logical.hash() }));
  const inserted = { seq: written.row.seq, before: undefined };
  transaction.record(logical.partition, position, inserted, written.sizeBytes);
  return writeResult(201, written, createCharge(written.row.terms, written.sizeBytes), logical);
}

function upsert(write: ItemWrite, operation: UpsertOperation): ItemResult {
  const document = ownDocument(write, operation.body);
  const stored = write.state.table.find(write.logical.text, document.id);
  // An upsert that finds nothing creates, whatever `If-Match` says (azure-cosmos-dotnet-v3#1698).
  if (stored === undefined) return create(write, document);
  checkMatch(stored, operation.ifMatch);
  return overwrite(write, stored, document.properties);
}

function replace(write: ItemWrite, operation: ReplaceOperation): ItemResult {
  const document = ownDocument(write, operation.body);
  if (document.id !== operation.id) {
    throw CosmosError.badRequest(
      `The id of the body, ${JSON.stringify(document.id)}, differs from the id of the address, ${JSON.stringify(operation.id)}. An id cannot be changed; create another item.`,
    );
  }
  return overwrite(write, storedItem(write, operation), document.properties);
}

function patch(write: ItemWrite, operation: PatchItemOperation): ItemResult {
  const row = storedItem(write, operation);
  const document = patchDocument(write.state, row, operation.patch);
  return overwrite(write, row, withoutSystemProperties(document), operation.patch);
}

function remove(write: ItemWrite, operation: DeleteOperation): ItemResult {
  const { state, logical, transaction } = write;
  const row = storedItem(write, operation);
  const position = transaction.next(logical.partition);
  state.table.remove(row.seq);
  transaction.record(logical.partition, position, { seq: row.seq, before: row }, undefined);
  return {
    status: 204,
    charge: deleteCharge(row.terms, Buffer.byteLength(row.body)),
    lsn: position.lsn,
    rangeId: logical.partition.id,
  };
}

/** Finds the item that the operation names, if its ETag is the expected one. */
function storedItem(
  { state, logical }: ItemWrite,
  { id, ifMatch }: { id: string; ifMatch?: string },
): ItemRow {
  const row = state.table.find(logical.text, id);
  if (row === undefined) throw itemNotFound(id);
  checkMatch(row, ifMatch);
  return row;
}

function checkMatch(row: ItemRow, ifMatch: string | undefined): void {
  if (ifMatch !== undefined && !matchesEtag(ifMatch, row.etag)) throw preconditionFailed();
}

function overwrite(
  write: ItemWrite,
  row: ItemRow,
  properties: JsonObject,
  patched?: PatchRequest,
): ItemResult {
  const { state, logical, transaction } = write;
  const position = transaction.next(logical.partition);
  const written = versionOf(write, properties, position, row.seq);
  refusingDuplicates(() => state.table.update(written.row));
  transaction.record(logical.partition, position, { seq: row.seq, before: row }, written.sizeBytes);
  const { terms } = written.row;
  const charge =
    patched === undefined
      ? replaceCharge(terms, written.sizeBytes)
      : patchCharge(terms, written.sizeBytes, patched.operations.length);
  return writeResult(200, written, charge, logical);
}

/** The stored form of one version of an item. */
interface Version {
  readonly row: Omit<ItemRow, "pk" | "epk">;
  readonly sizeBytes: number;
}

function versionOf(
  { state, transaction }: ItemWrite,
  properties: JsonObject,
  { lsn, ordinal }: WritePosition,
  seq: number,
): Version {
  const { timestamp } = transaction;
  const etag = formatEtag({ lsn, ordinal, owner: state.number, timestamp });
  const { text, sizeBytes } = storedBody(properties, {
    containerRid: state.rid,
    containerSelf: state.self,
    seq,
    etag,
    timestamp,
  });
  const expiry = expiryOf(properties, state.definition.defaultTtlSeconds, timestamp);
  const terms = countIndexTerms(properties, state.definition.indexingPolicy);
  return { row: { seq, body: text, etag, ts: timestamp, lsn, expires_at: expiry, terms }, sizeBytes };
}

function refusingDuplicates(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw isUniqueViolation(error) ? itemConflict() : error;
  }
}

function writeResult(
  status: number,
  { row }: Version,
  charge: number,
  logical: LogicalPartition,
): ItemResult {
  return {
    status,
    charge,
    etag: row.etag,
    body: row.body,
    lsn: row.lsn,
    rangeId: logical.partition.id,
  };
}
