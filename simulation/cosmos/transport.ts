/** Carries the requests of one machine to the endpoint in this process, in the time of the world. */
import type { PipelineRequest, PipelineResponse } from "@azure/core-rest-pipeline";
import type { InProcessEndpoint, InProcessRequest } from "@duroxide-ts/cosmos-emulator";
import { abortError, connectionReset, toData, toResponse } from "../../test/support/stores/in-process.ts";
import type { CosmosFault } from "../faults/fault.ts";
import type { Machine } from "../world/machine.ts";
import type { World } from "../world/world.ts";
import type { Link } from "./link.ts";
import type { FateAtRequest } from "./request-deaths.ts";

export interface TransportParts {
  readonly world: World;
  readonly endpoint: InProcessEndpoint;
  /** A fault of the way there or back hits a request. */
  readonly onHit: (fault: CosmosFault, request: InProcessRequest) => void;
  /** Called when the endpoint has taken a request and the faults of the service have been drawn for it. */
  readonly onTaken: (request: InProcessRequest) => void;
  /** Whether the process outlives the request. */
  readonly fateOf?: (machine: Machine, request: InProcessRequest) => FateAtRequest;
  /** How much longer the request is under way, ms. */
  readonly holdUp?: (machine: Machine, request: InProcessRequest) => number;
  readonly onAnswer?: (request: InProcessRequest, status: number) => void;
}

export type Transport = (request: PipelineRequest) => Promise<PipelineResponse>;

export function transportOf(
  { world, endpoint, onHit, onTaken, fateOf, holdUp, onAnswer }: TransportParts,
  machine: Machine,
  link: Link,
): Transport {
  return (request) =>
    new Promise((resolve, reject) => {
      // As the HTTP client of Node does: a signal that was aborted before gets no event.
      if (request.abortSignal?.aborted === true) return reject(abortError());
      request.abortSignal?.addEventListener("abort", () => reject(abortError()));
      const { thereMs, backMs, reset, faults } = link.passage();
      const data = toData(request);
      const dies = fateOf?.(machine, data) ?? "lives";
      if (dies !== "lives") onHit("death-at-batch", data);
      if (dies === "dies before") return machine.kill();
      for (const fault of faults) onHit(fault, data);
      const back = (label: string, settle: () => void): void => {
        if (backMs === undefined) return;
        world.schedule(backMs, machine, label, () => {
          if (link.isCut) onHit("cut", data);
          else settle();
        });
      };
      if (thereMs === undefined) return;
      const heldUpMs = holdUp?.(machine, data) ?? 0;
      world.schedule(thereMs + heldUpMs, undefined, `${machine.name} ${data.method} ${data.path}`, () => {
        world.trace.add("body", data.body);
        if (link.isCut) return onHit("cut", data);
        if (reset === "before") return back("reset", () => reject(connectionReset()));
        const serving = endpoint.serve(data);
        onTaken(data);
        if (dies === "dies after") machine.kill();
        void serving.then(
          (answer) => {
            if (answer === "reset") world.trace.add("served reset");
            else {
              world.trace.add(`served ${answer.status}`, answer.body);
              onAnswer?.(data, answer.status);
            }
            if (answer === "reset" || reset === "after") back("reset", () => reject(connectionReset()));
            else back("answer", () => resolve(toResponse(request, answer)));
          },
          (error: unknown) => world.fail(error),
        );
      });
    });
}
