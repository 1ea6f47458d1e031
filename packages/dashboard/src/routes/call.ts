/** `GET /api/call`: the payloads and failures of one bar; without `step` those of the execution itself. */
import type { InstanceTimeline } from "@duroxide-ts/core";
import { Refused } from "@duroxide-ts/core/web";
import type { CallDetails } from "../page/shapes/instance.ts";
import type { ShownPayload } from "../page/shapes/payload.ts";
import { showFailure } from "../payloads/failures.ts";
import { type Part, payloadsOf } from "../source/call-payloads.ts";
import type { Source } from "../source/source.ts";
import { parameter, positiveNumber, type ReadRoute } from "./route.ts";

export const call: ReadRoute = {
  path: "call",
  isLong: true,
  async read(request): Promise<CallDetails> {
    const { source } = request;
    const instanceId = parameter(request, "id");
    const timeline = await source.admin.timeline(instanceId, positiveNumber(request, "execution"));
    const id = positiveNumber(request, "step") ?? 0;
    const stored = payloadsOf(timeline, id);
    if (stored === undefined) throw new Refused(404, "not-found", "this execution has no such call");
    const shown = (part: Part): ShownPayload | undefined => shownPart(source, timeline, id, part);
    const [input, output] = [shown("input"), shown("output")];
    const { failure } = stored;
    return {
      id,
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
      ...(failure !== undefined && { failure: showFailure(failure, source.payloads) }),
    };
  },
};

function shownPart(
  { payloads }: Source,
  timeline: InstanceTimeline,
  step: number,
  part: Part,
): ShownPayload | undefined {
  const text = payloadsOf(timeline, step)?.[part];
  if (text === undefined) return undefined;
  const shown = payloads.show(text);
  if (!shown.isCut) return shown;
  const { instanceId: id, executionId } = timeline;
  const query = new URLSearchParams({ id, execution: String(executionId), step: String(step), part });
  return { ...shown, load: `payload?${query}` };
}
