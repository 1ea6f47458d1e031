/** Changes of physical partitions over HTTP: the same as `emulator.partitions`. */
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import { parseJson } from "../../protocol/json-text.ts";
import { type Answer, emptyAnswer, jsonAnswer } from "../answers/answer.ts";
import { count, invalidFault, optionalCount, optionalText, rejectUnknown } from "../faults/fault-input.ts";
import type { ContainerNames, PartitionControl } from "../faults/partition-control.ts";
import { methodNotAllowed } from "../requests/refusals.ts";
import { bodyText, type GatewayRequest } from "../requests/request.ts";

type Serve = (request: GatewayRequest, partitions: PartitionControl) => Promise<Answer>;

/** `POST /_emulator/split`, `merge`, `migrate` and `failover`; each is answered when it is over. */
export const PARTITION_ROUTES: Readonly<Record<string, Serve>> = {
  async split(request, partitions) {
    const input = inputOf(request, "A split", ["range", "completingMs"]);
    const range = optionalText(input, "range");
    const ids = await partitions.split({ ...namesIn(input), ...(range && { range }), ...completing(input) });
    return jsonAnswer(200, { ranges: [...ids] }, 0);
  },

  async merge(request, partitions) {
    const input = inputOf(request, "A merge", ["ranges", "completingMs"]);
    const ranges = rangesIn(input);
    const id = await partitions.merge({ ...namesIn(input), ...(ranges && { ranges }), ...completing(input) });
    return jsonAnswer(200, { range: id }, 0);
  },

  async migrate(request, partitions) {
    const input = inputOf(request, "A migration", ["range", "forMs"]);
    const range = optionalText(input, "range");
    await partitions.migrate({ ...namesIn(input), ...(range && { range }), forMs: count(input, "forMs", 0) });
    return emptyAnswer(204, 0);
  },

  async failover(request, partitions) {
    partitions.failover(namesIn(inputOf(request, "A failover", [])));
    return emptyAnswer(204, 0);
  },
};

function inputOf(request: GatewayRequest, what: string, more: readonly string[]): JsonObject {
  if (request.method !== "POST") throw methodNotAllowed("Use POST.");
  return rejectUnknown(parseJson(bodyText(request)), what, ["database", "container", ...more]);
}

function namesIn(input: JsonObject): ContainerNames {
  const database = optionalText(input, "database");
  const container = optionalText(input, "container");
  if (database !== undefined && container !== undefined) return { database, container };
  throw invalidFault("Name the database and the container.");
}

function rangesIn({ ranges }: JsonObject): readonly string[] | undefined {
  if (ranges === undefined) return undefined;
  const isText = (range: JsonValue): range is string => typeof range === "string";
  if (Array.isArray(ranges) && ranges.every(isText)) return ranges;
  throw invalidFault('"ranges" is a list of two ids.');
}

function completing(input: JsonObject): { readonly completingMs?: number } {
  const completingMs = optionalCount(input, "completingMs", 0);
  return completingMs === undefined ? {} : { completingMs };
}
