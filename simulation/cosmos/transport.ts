/** Carries the requests of one machine to the endpoint in this process, in the time of the world. */
import { createHash } from "node:crypto";
import { createHttpHeaders, type PipelineRequest, type PipelineResponse } from "@azure/core-rest-pipeline";
import type { InProcessAnswer, InProcessEndpoint, InProcessRequest } from "@duroxide-ts/cosmos-emulator";
import type { Machine } from "../world/machine.ts";
import type { World } from "../world/world.ts";
import type { Link } from "./link.ts";

export interface TransportParts {
  readonly world: World;
  readonly endpoint: InProcessEndpoint;
  /** Called for every request that the endpoint executed. */
  readonly onServed: (request: InProcessRequest, answer: InProcessAnswer) => void;
}

export type Transport = (request: PipelineRequest) => Promise<PipelineResponse>;

export function transportOf(
  { world, endpoint, onServed }: TransportParts,
  machine: Machine,
  link: Link,
): Transport {
  return (request) =>
    new Promise((resolve, reject) => {
      request.abortSignal?.addEventListener("abort", () => reject(aborted()));
      const { thereMs, backMs, reset } = link.passage();
      const back = (label: string, settle: () => void): void => {
        if (backMs === undefined) return;
        world.schedule(backMs, machine, label, () => {
          if (!link.isCut) settle();
        });
      };
      if (thereMs === undefined) return;
      const data = toData(request);
      world.schedule(thereMs, undefined, labelOf(machine, data), () => {
        if (link.isCut) return;
        if (reset === "before") return back("reset", () => reject(connectionReset()));
        void endpoint.serve(data).then(
          (answer) => {
            world.trace.add(
              `served ${answer === "reset" ? "reset" : `${answer.status} ${digestOf(answer.body)}`}`,
            );
            onServed(data, answer);
            if (answer === "reset" || reset === "after") back("reset", () => reject(connectionReset()));
            else back("answer", () => resolve(toResponse(request, answer)));
          },
          (error: unknown) => world.fail(error),
        );
      });
    });
}

function labelOf(machine: Machine, { method, path, body }: InProcessRequest): string {
  return `${machine.name} ${method} ${path} ${digestOf(body)}`;
}

function digestOf(body: string | Uint8Array | undefined): string {
  return body === undefined || body.length === 0
    ? ""
    : createHash("md5").update(body).digest("base64url").slice(0, 8);
}

function toData({ method, url, headers, body }: PipelineRequest): InProcessRequest {
  const at = url.indexOf("/", "http://".length);
  return {
    method,
    path: at < 0 ? "/" : url.slice(at),
    headers: headers.toJSON(),
    body: typeof body === "string" ? body : "",
  };
}

function toResponse(
  request: PipelineRequest,
  { status, headers, body }: Exclude<InProcessAnswer, "reset">,
): PipelineResponse {
  const bodyAsText =
    body === undefined ? "" : typeof body === "string" ? body : Buffer.from(body).toString("utf8");
  return { request, status, headers: createHttpHeaders(headers), bodyAsText };
}

function connectionReset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}

function aborted(): Error {
  return Object.assign(new Error("The operation was aborted."), { name: "AbortError" });
}
