/** Containers that checks share. Few, because on an account of Azure each costs money. */
import type { Fields } from "../client/reply.ts";

const BY_PK = { paths: ["/pk"], kind: "Hash", version: 2 };

export const FIXTURES = {
  /** Default policies. */
  plain: { partitionKey: BY_PK },
  /** Items expire where they say so. */
  expiring: { partitionKey: BY_PK, defaultTtl: -1 },
  /** One address for each partition key value, and one pair of names. */
  unique: {
    partitionKey: BY_PK,
    uniqueKeyPolicy: { uniqueKeys: [{ paths: ["/email"] }, { paths: ["/first", "/last"] }] },
  },
  hierarchical: { partitionKey: { paths: ["/tenant", "/user"], kind: "MultiHash", version: 2 } },
  /** One composite index, and one path without any index. */
  composite: {
    partitionKey: BY_PK,
    indexingPolicy: {
      indexingMode: "consistent",
      automatic: true,
      includedPaths: [{ path: "/*" }],
      excludedPaths: [{ path: "/unindexed/?" }],
      compositeIndexes: [
        [
          { path: "/a", order: "ascending" },
          { path: "/b", order: "descending" },
        ],
      ],
    },
  },
} as const satisfies Readonly<Record<string, Fields>>;

export type FixtureName = keyof typeof FIXTURES;
