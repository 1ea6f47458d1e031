/** The physical partitions that a request is about: for rules, budgets and changes of single partitions. */
import type { Engine } from "../../engine/index.ts";
import type { Address } from "../requests/address.ts";
import { isAboutItems, type OperationKind } from "../requests/operation-kind.ts";
import type { GatewayRequest } from "../requests/request.ts";
import { feedScope, touchedRanges } from "../requests/requested-scope.ts";
import type { Touched } from "./throttle.ts";

/** Finds the partitions when they are asked for first. None for what is not about items, or is refused anyway. */
export function touchedBy(
  engine: Engine,
  request: GatewayRequest,
  { database, container }: Address,
  operation: OperationKind,
): () => Touched {
  let touched: Touched | undefined;
  return () => {
    touched ??= isAboutItems(operation) ? find(engine, request, database, container) : NONE;
    return touched;
  };
}

const NONE: Touched = { ids: [], of: 1 };

function find(engine: Engine, request: GatewayRequest, database: string, container: string): Touched {
  try {
    const found = engine.container(database, container);
    const ids = touchedRanges(found, feedScope(request)).map(({ id }) => id);
    return { ids, of: found.partitionKeyRanges().length };
  } catch {
    return NONE;
  }
}
