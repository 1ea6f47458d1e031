/** Fault rules over HTTP: the same as those of `emulator.faults`. */
import { CosmosError } from "../../protocol/cosmos-error.ts";
import type { JsonValue } from "../../protocol/json.ts";
import { parseJson } from "../../protocol/json-text.ts";
import { type Answer, emptyAnswer, jsonAnswer } from "../answers/answer.ts";
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
