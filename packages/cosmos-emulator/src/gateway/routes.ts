/** The handlers by operation: the table of contents of the endpoint. */
import type { Handler } from "./context.ts";
import { readAccount } from "./handlers/account.ts";
import { answerBatch, executeBulk } from "./handlers/batches.ts";
import { readChangeFeed } from "./handlers/change-feed.ts";
import {
  createContainer,
  deleteContainer,
  listContainers,
  queryContainers,
  readContainer,
  replaceContainer,
} from "./handlers/containers.ts";
import {
  createDatabase,
  deleteDatabase,
  listDatabases,
  queryDatabases,
  readDatabase,
} from "./handlers/databases.ts";
import { executeProcedure } from "./handlers/execute-procedure.ts";
import {
  createItem,
  deleteByPartitionKey,
  deleteItem,
  patchItem,
  readItem,
  replaceItem,
  upsertItem,
} from "./handlers/items.ts";
import { listOffers, queryOffers, readOffer } from "./handlers/offers.ts";
import { listPartitionKeyRanges } from "./handlers/partition-key-ranges.ts";
import { answerItemQuery, planOfQuery } from "./handlers/queries.ts";
import { listItems } from "./handlers/read-feed.ts";
import {
  createProcedure,
  deleteProcedure,
  listProcedures,
  queryProcedures,
  readProcedure,
  replaceProcedure,
  upsertProcedure,
} from "./handlers/stored-procedures.ts";
import type { OperationKind } from "./requests/operation-kind.ts";

export const HANDLERS: Readonly<Record<OperationKind, Handler>> = {
  "account.read": readAccount,
  "database.create": createDatabase,
  "database.list": listDatabases,
  "database.query": queryDatabases,
  "database.read": readDatabase,
  "database.delete": deleteDatabase,
  "container.create": createContainer,
  "container.list": listContainers,
  "container.query": queryContainers,
  "container.read": readContainer,
  "container.replace": replaceContainer,
  "container.delete": deleteContainer,
  "item.create": createItem,
  "item.upsert": upsertItem,
  "item.read": readItem,
  "item.replace": replaceItem,
  "item.patch": patchItem,
  "item.delete": deleteItem,
  "item.list": listItems,
  "item.query": answerItemQuery,
  "item.queryPlan": planOfQuery,
  "item.batch": answerBatch,
  "item.bulk": executeBulk,
  "item.changeFeed": readChangeFeed,
  "item.deleteByPartitionKey": deleteByPartitionKey,
  "partitionKeyRange.list": listPartitionKeyRanges,
  "storedProcedure.create": createProcedure,
  "storedProcedure.upsert": upsertProcedure,
  "storedProcedure.list": listProcedures,
  "storedProcedure.query": queryProcedures,
  "storedProcedure.read": readProcedure,
  "storedProcedure.replace": replaceProcedure,
  "storedProcedure.delete": deleteProcedure,
  "storedProcedure.execute": executeProcedure,
  "offer.list": listOffers,
  "offer.query": queryOffers,
  "offer.read": readOffer,
};
