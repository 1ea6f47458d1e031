/**
 * Checks an existing container. Rejects settings that would lose data or cannot work; warns of settings that only cost
 * more. Changes nothing, because the container may be shared, and its settings may be intended.
 */
import type { ContainerDefinition } from "@azure/cosmos";
import { DUE_ORDER } from "../service/due-order.ts";
import { indexCommand, ttlCommand } from "./azure-commands.ts";
import { ADVISED_PATHS, BLOCKED_PATH, type NeededIndex, PARTITION_KEY_PATH } from "./container-definition.ts";
import { indexingDrift, servesFilter, servesOrder } from "./indexing-drift.ts";
import { cannotOpen } from "./open-error.ts";
import type { Settings } from "./options.ts";

/** A fault that does not prevent operation. `about` is that of `WarningFields`. */
export interface OpenWarning {
  readonly message: string;
  readonly about?: "clock" | "indexes";
}

/** Properties of an existing container. */
export interface CheckedContainer {
  readonly warnings: OpenWarning[];
  /** Advice on what only makes lists of operators, or workers in Rust, cost more. */
  readonly advice: readonly string[];
  /** It has the index that serves queries in the order of DUE_ORDER, and would refuse them without it. */
  readonly hasDueOrder: boolean;
  /** It has the index of blocked work. Without it, a count of blocked work reads every document. */
  readonly hasBlockedIndex: boolean;
}

/** Throws `cannot-open`. */
export function checkContainer(settings: Settings, definition: ContainerDefinition): CheckedContainer {
  const { partitionKey, defaultTtl, indexingPolicy = {} } = definition;
  const paths = partitionKey?.paths ?? [];
  if (paths.length !== 1 || paths[0] !== PARTITION_KEY_PATH) {
    throw cannotOpen(
      settings,
      `its partition key is ${paths.join(", ") || "missing"} and must be ${PARTITION_KEY_PATH}, which cannot be changed. Name another container, or one that does not exist yet`,
    );
  }
  if (defaultTtl !== undefined && defaultTtl > 0) {
    throw cannotOpen(
      settings,
      `it deletes its documents after ${defaultTtl} seconds, and with them the histories of running orchestrations. Let only those expire that say so:\n${ttlCommand(settings)}`,
    );
  }
  const warnings: OpenWarning[] = [
    ...versionWarning(settings, partitionKey?.version).map((message) => ({ message })),
    ...ttlWarning(settings, defaultTtl).map((message) => ({ message })),
    ...indexWarning(settings, indexingPolicy).map((message) => ({ message, about: "indexes" as const })),
  ];
  return {
    warnings,
    advice: indexAdvice(settings, indexingPolicy),
    hasDueOrder: servesOrder(indexingPolicy, DUE_ORDER),
    hasBlockedIndex: servesFilter(indexingPolicy, BLOCKED_PATH),
  };
}

/** A container without a version has the first one. */
function versionWarning({ container }: Settings, version: number | undefined): string[] {
  if (version === 2) return [];
  return [
    `container ${JSON.stringify(container)} has partition keys of version 1: instance ids of more than 101 bytes will be refused. Only a new container can have version 2`,
  ];
}

function ttlWarning(settings: Settings, defaultTtl: number | undefined): string[] {
  if (defaultTtl !== undefined) return [];
  return [
    `container ${JSON.stringify(settings.container)} has time to live switched off, so receipts of delivered messages stay for ever and take space. Switch it on without a default:\n${ttlCommand(settings)}`,
  ];
}

function indexWarning(
  settings: Settings,
  policy: NonNullable<ContainerDefinition["indexingPolicy"]>,
): string[] {
  const { paths, composites } = indexingDrift(policy);
  if (paths.length === 0 && composites.length === 0) return [];
  const lacking = [
    ...(paths.length === 0 ? [] : [`indexes on ${paths.map(described).join(", ")}`]),
    ...(composites.length === 0 ? [] : [`composite indexes on ${composites.map(described).join(", ")}`]),
  ];
  return [
    `the indexing policy of container ${JSON.stringify(settings.container)} lacks ${lacking.join("; and ")}. Queries that need them read more and cost more, and those that sort by several properties may be refused. This replaces the policy by ours:\n${indexCommand(settings)}`,
  ];
}

function indexAdvice(
  settings: Settings,
  policy: NonNullable<ContainerDefinition["indexingPolicy"]>,
): readonly string[] {
  const lacking = ADVISED_PATHS.filter(({ paths: [path] }) => !servesFilter(policy, path));
  if (lacking.length === 0) return [];
  return [
    `the indexing policy of container ${JSON.stringify(settings.container)} lacks indexes on ${lacking.map(described).join(", ")}. An index costs about 0.4 RU for each write of a document that has the field. This replaces the policy by ours:\n${indexCommand(settings)}`,
  ];
}

function described({ paths, serves }: NeededIndex): string {
  const what = paths.length === 1 ? paths[0] : `(${paths.join(", ")})`;
  return `${what} [${serves}]`;
}
