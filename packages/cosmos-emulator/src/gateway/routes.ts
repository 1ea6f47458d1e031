/** Which handler serves which operation: the table of contents of what the endpoint can do. */
import type { Handler } from "./context.ts";
import { readAccount } from "./handlers/account.ts";
import { answerBatch, executeBulk } from "./handlers/batches.ts";
import { readChangeFeed } from "./handlers/change-feed.ts";
import { listConflicts, missingConflict } from "./handlers/conflicts.ts";
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
import { deleteByPartitionKey } from "./handlers/delete-by-partition-key.ts";
import { executeScript } from "./handlers/execute-script.ts";
import { createItem, deleteItem, patchItem, readItem, replaceItem, upsertItem } from "./handlers/items.ts";
import { listOffers, queryOffers, readOffer, replaceOffer } from "./handlers/offers.ts";
import { listPartitionKeyRanges } from "./handlers/partition-key-ranges.ts";
import { answerItemQuery, planOfQuery } from "./handlers/queries.ts";
import { listItems } from "./handlers/read-feed.ts";
import { storedProcedures, triggers, userDefinedFunctions } from "./handlers/scripts.ts";
import { listUsers } from "./handlers/users.ts";
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
  "storedProcedure.create": storedProcedures.create,
  "storedProcedure.upsert": storedProcedures.upsert,
  "storedProcedure.list": storedProcedures.list,
  "storedProcedure.query": storedProcedures.query,
  "storedProcedure.read": storedProcedures.read,
  "storedProcedure.replace": storedProcedures.replace,
  "storedProcedure.delete": storedProcedures.delete,
  "storedProcedure.execute": executeScript,
  "trigger.create": triggers.create,
  "trigger.upsert": triggers.upsert,
  "trigger.list": triggers.list,
  "trigger.query": triggers.query,
  "trigger.read": triggers.read,
  "trigger.replace": triggers.replace,
  "trigger.delete": triggers.delete,
  "userDefinedFunction.create": userDefinedFunctions.create,
  "userDefinedFunction.upsert": userDefinedFunctions.upsert,
  "userDefinedFunction.list": userDefinedFunctions.list,
  "userDefinedFunction.query": userDefinedFunctions.query,
  "userDefinedFunction.read": userDefinedFunctions.read,
  "userDefinedFunction.replace": userDefinedFunctions.replace,
  "userDefinedFunction.delete": userDefinedFunctions.delete,
  "conflict.list": listConflicts,
  "conflict.query": listConflicts,
  "conflict.read": missingConflict,
  "conflict.delete": missingConflict,
  "offer.list": listOffers,
  "offer.query": queryOffers,
  "offer.read": readOffer,
  "offer.replace": replaceOffer,
  "user.list": listUsers,
};
