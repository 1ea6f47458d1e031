/**
 * The rights of a Microsoft Entra identity by its role on the data plane. The actions are those of the service's
 * documentation; that a query needs two of them is documented for the SDKs. Those of a patch and of a deletion by
 * partition key are inferred. Definitions of scripts have no action at all: the service refuses them with 403/5300
 * whatever the role.
 */
import type { BatchEntry } from "../requests/batch-body.ts";
import type { OperationKind } from "../requests/operation-kind.ts";
import { forbidden } from "../requests/refusals.ts";

/** The role of an identity. */
export interface EntraRole {
  /**
   * Actions such as `Microsoft.DocumentDB/databaseAccounts/readMetadata`; one that ends in `/*` stands for all below
   * it.
   */
  readonly dataActions: readonly string[];
  /** `/`, `/dbs/NAME` or `/dbs/NAME/colls/NAME`. Default `/`, the whole account. */
  readonly scope?: string;
}

const ACCOUNT = "Microsoft.DocumentDB/databaseAccounts";
const CONTAINERS = `${ACCOUNT}/sqlDatabases/containers`;

/** The built-in Data Contributor. */
export const DATA_CONTRIBUTOR: EntraRole = {
  dataActions: [`${ACCOUNT}/readMetadata`, `${CONTAINERS}/*`, `${CONTAINERS}/items/*`],
};

const METADATA = ["readMetadata"];

/**
 * Actions by operation: those of a container but `readMetadata`. No role includes an operation that is missing here.
 */
const ACTIONS: Readonly<Partial<Record<OperationKind, readonly string[]>>> = {
  "account.read": METADATA,
  "database.list": METADATA,
  "database.query": METADATA,
  "database.read": METADATA,
  "container.list": METADATA,
  "container.query": METADATA,
  "container.read": METADATA,
  "partitionKeyRange.list": METADATA,
  "item.create": ["items/create"],
  "item.upsert": ["items/upsert"],
  "item.read": ["items/read"],
  "item.replace": ["items/replace"],
  "item.patch": ["items/replace"],
  "item.delete": ["items/delete"],
  "item.list": ["readChangeFeed"],
  "item.changeFeed": ["readChangeFeed"],
  "item.query": ["executeQuery", "readChangeFeed"],
  "item.queryPlan": ["executeQuery", "readChangeFeed"],
  "item.batch": [],
  "item.bulk": [],
  "item.deleteByPartitionKey": ["items/delete"],
  "storedProcedure.execute": ["executeStoredProcedure"],
};

/**
 * Checks a request. Throws 403/5300 for what no role includes, 403/5301 for what this one does not. `path` is that of
 * the request.
 */
export function checkRole(
  { dataActions, scope = "/" }: EntraRole,
  operation: OperationKind,
  path: string,
  entries: () => readonly BatchEntry[],
): void {
  const actions = ACTIONS[operation];
  if (actions === undefined) {
    throw forbidden(
      `Request blocked: ${operation} cannot be authorized by a Microsoft Entra token on the data plane. ` +
        "Use the account's key, or Azure Resource Manager.",
      5300,
    );
  }
  const isBatch = operation === "item.batch" || operation === "item.bulk";
  const needed = isBatch ? entries().map(({ operation: { kind } }) => itemAction(kind)) : actions;
  for (const action of needed.map(fullName)) {
    if (isWithin(path, scope) && dataActions.some((each) => includes(each, action))) continue;
    throw forbidden(
      `Request blocked by Auth: it is blocked because the principal does not have required RBAC permissions to perform action [${action}] on resource [${path}]. ` +
        "Give its role this action, at a scope that includes the resource.",
      5301,
    );
  }
}

function itemAction(kind: string): string {
  return kind === "patch" ? "items/replace" : `items/${kind}`;
}

function fullName(action: string): string {
  return action === "readMetadata" ? `${ACCOUNT}/${action}` : `${CONTAINERS}/${action}`;
}

/** Tells whether a given action includes another; a wildcard stands for one more part of the name. */
function includes(given: string, action: string): boolean {
  if (!given.endsWith("/*")) return given === action;
  const prefix = given.slice(0, -1);
  return action.startsWith(prefix) && !action.slice(prefix.length).includes("/");
}

function isWithin(path: string, scope: string): boolean {
  return scope === "/" || path === scope || path.startsWith(`${scope}/`);
}
