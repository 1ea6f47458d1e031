import type { Container } from "../engine/index.ts";
import { CosmosError } from "../protocol/cosmos-error.ts";
import type { Address } from "./address.ts";

/** The id of the item in the path. A path that names the container by its `_rid` names the item so too. */
export function itemIdOf(address: Address, container: Container): string {
  if (address.container !== container.rid || container.rid === container.id) return address.id;
  const id = container.itemIdOf(address.id);
  if (id === undefined)
    throw CosmosError.notFound(`The container has no item with the _rid ${address.id}.`, { charge: 1 });
  return id;
}
