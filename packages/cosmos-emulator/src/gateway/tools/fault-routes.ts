/** Faults over HTTP: the same rules, budgets and clock as `emulator.faults`. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonValue } from "../../protocol/json.ts";
import { parseJson } from "../../protocol/json-text.ts";
import { type Answer, emptyAnswer, jsonAnswer } from "../answers/answer.ts";
import { invalidFault, optionalText, rejectUnknown } from "../faults/fault-input.ts";
import type { FaultRule } from "../faults/fault-rule.ts";
import type { Faults } from "../faults/faults.ts";
import { methodNotAllowed } from "../requests/refusals.ts";
import { bodyText, type GatewayRequest } from "../requests/request.ts";

/** Serves `/_emulator/faults`: GET lists, POST adds, DELETE ends all faults of every sort. */
export function serveFaults(request: GatewayRequest, faults: Faults): Answer {
  if (request.method === "GET") return jsonAnswer(200, { faults: faults.list() as unknown as JsonValue }, 0);
  if (request.method === "POST") {
    const id = faults.add(parseJson(bodyText(request)) as unknown as FaultRule);
    return jsonAnswer(201, { id }, 0);
  }
  if (request.method !== "DELETE") throw methodNotAllowed("Use GET, POST or DELETE.");
  faults.clear();
  return emptyAnswer(204, 0);
}

/** Serves `/_emulator/faults/<id>`: DELETE ends one rule. */
export function serveFault(request: GatewayRequest, id: string, faults: Faults): Answer {
  if (request.method !== "DELETE") throw methodNotAllowed("Use DELETE.");
  if (!faults.remove(Number(id))) throw CosmosError.notFound(`There is no fault rule ${id}; GET lists them.`);
  return emptyAnswer(204, 0);
}

/**
 * Serves `/_emulator/budget`: PUT `{database, container, range?, requestUnitsPerSecond}`: a number, "provisioned", or
 * null.
 */
export function serveBudget(request: GatewayRequest, faults: Faults): Answer {
  if (request.method !== "PUT") throw methodNotAllowed("Use PUT.");
  const names = ["database", "container", "range", "requestUnitsPerSecond"];
  const budget = rejectUnknown(parseJson(bodyText(request)), "A budget", names);
  const database = optionalText(budget, "database");
  const container = optionalText(budget, "container");
  const units = budget["requestUnitsPerSecond"];
  if (database === undefined || container === undefined)
    throw invalidFault("Name the database and the container.");
  if (units !== null && units !== "provisioned" && typeof units !== "number") {
    throw invalidFault('"requestUnitsPerSecond" is a number above 0, "provisioned", or null for no limit.');
  }
  faults.setBudget(database, container, units ?? undefined, optionalText(budget, "range"));
  return emptyAnswer(204, 0);
}

/** Serves `/_emulator/clock`: PUT `{skewMs}` sets the endpoint's clock wrong by so much. */
export function serveClock(request: GatewayRequest, faults: Faults): Answer {
  if (request.method !== "PUT") throw methodNotAllowed("Use PUT.");
  const { skewMs } = rejectUnknown(parseJson(bodyText(request)), "The clock", ["skewMs"]);
  if (typeof skewMs !== "number" || !Number.isSafeInteger(skewMs)) {
    throw invalidFault('"skewMs" is a whole number of milliseconds; negative is behind.');
  }
  faults.clockSkewMs = skewMs;
  return emptyAnswer(204, 0);
}
