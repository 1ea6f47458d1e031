/** Refusals of the gateway itself, before it reads any resource. */
import { CosmosError } from "../../protocol/cosmos-error.ts";

export function unauthorized(message: string): CosmosError {
  return new CosmosError({ status: 401, code: "Unauthorized", message, charge: 0 });
}

export function forbidden(message: string, substatus?: number): CosmosError {
  return new CosmosError({
    status: 403,
    code: "Forbidden",
    message,
    charge: 0,
    ...(substatus === undefined ? {} : { substatus }),
  });
}

export function methodNotAllowed(message: string): CosmosError {
  return new CosmosError({ status: 405, code: "MethodNotAllowed", message, charge: 0 });
}

export function tooLarge(message: string): CosmosError {
  return new CosmosError({ status: 413, code: "RequestEntityTooLarge", message });
}
