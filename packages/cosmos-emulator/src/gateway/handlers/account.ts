/** The account itself (docs/reference/cosmos-protocol.md §1.1). */
import { type Answer, jsonAnswer } from "../answers/answer.ts";
import type { RequestContext } from "../context.ts";
import { ACCOUNT_CONSISTENCY } from "../requests/consistency.ts";

/** The id of the account. Not "localhost": the JavaScript SDK never caches an endpoint whose account has that id. */
const ACCOUNT_ID = "cosmos-emulator";

/** The configuration of the query engine as the service answers it: a JSON text inside JSON. */
const QUERY_ENGINE = JSON.stringify({
  maxSqlQueryInputLength: 524288,
  maxJoinsPerSqlQuery: 10,
  maxLogicalAndPerSqlQuery: 2000,
  maxLogicalOrPerSqlQuery: 2000,
  maxUdfRefPerSqlQuery: 10,
  maxInExpressionItemsCount: 16000,
  queryMaxGroupByTableCellCount: 500000,
  queryMaxInMemorySortDocumentCount: 500,
  maxQueryRequestTimeoutFraction: 0.9,
  sqlAllowNonFiniteNumbers: false,
  sqlAllowAggregateFunctions: true,
  sqlAllowSubQuery: true,
  sqlAllowScalarSubQuery: true,
  sqlAllowGroupByClause: true,
  sqlAllowLike: true,
  sqlAllowTop: true,
  allowNewKeywords: true,
  enableSpatialIndexing: true,
});

export function readAccount({ request }: RequestContext): Answer {
  // SDKs leave for the address that stands here, so it is the one by which the caller came.
  const endpoint = `${request.origin}/`;
  const location = { name: "Local", databaseAccountEndpoint: endpoint };
  return jsonAnswer(
    200,
    {
      _self: "",
      id: ACCOUNT_ID,
      _rid: ACCOUNT_ID,
      media: "//media/",
      addresses: "//addresses/",
      _dbs: "//dbs/",
      writableLocations: [location],
      readableLocations: [location],
      enableMultipleWriteLocations: false,
      // With `true` the JavaScript SDK computes the partition of every request.
      enablePerPartitionFailoverBehavior: false,
      userReplicationPolicy: { asyncReplication: false, minReplicaSetSize: 3, maxReplicasetSize: 4 },
      userConsistencyPolicy: { defaultConsistencyLevel: ACCOUNT_CONSISTENCY },
      systemReplicationPolicy: { minReplicaSetSize: 3, maxReplicasetSize: 4 },
      readPolicy: { primaryReadCoefficient: 1, secondaryReadCoefficient: 1 },
      queryEngineConfiguration: QUERY_ENGINE,
    },
    1,
    { "content-location": endpoint },
  );
}
