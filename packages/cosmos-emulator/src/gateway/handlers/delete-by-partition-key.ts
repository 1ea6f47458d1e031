import { type Answer, textAnswer } from "../answers/answer.ts";
import { containerOf, type RequestContext } from "../context.ts";
import { positionHeaders } from "../headers/container-headers.ts";
import { partitionKeyOfRequest } from "../requests/requested-scope.ts";

/** Deletes all items of a logical partition. The service does it in the background; here it is done at once. */
export function deleteByPartitionKey(context: RequestContext): Answer {
  const container = containerOf(context);
  const deleted = container.deletePartition(partitionKeyOfRequest(context.request));
  return textAnswer(200, "{}", deleted.charge, positionHeaders(container, deleted));
}
