import { type Answer, textAnswer } from "../answer.ts";
import { positionHeaders } from "../container-headers.ts";
import { containerOf, type RequestContext } from "../context.ts";
import { partitionKeyOfRequest } from "../feed-scope.ts";

/** Deletes all items of a logical partition. The service does it in the background; here it is done at once. */
export function deleteByPartitionKey(context: RequestContext): Answer {
  const container = containerOf(context);
  const deleted = container.deletePartition(partitionKeyOfRequest(context.request));
  return textAnswer(200, "{}", deleted.charge, positionHeaders(container, deleted));
}
