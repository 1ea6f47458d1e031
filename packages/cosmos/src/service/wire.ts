/** Parts that all requests of a provider share: the container, the list of its partitions, and what paces them. */
import type { Container } from "@azure/cosmos";
import type { RequestInfo } from "./call.ts";
import { Outage } from "./outage.ts";
import type { Pace } from "./persist.ts";
import { Ranges } from "./ranges.ts";
import { Throttled } from "./throttled.ts";
import { Unfinished } from "./unfinished.ts";

export interface RequestsOptions extends Pace {
  readonly onRequest: (info: RequestInfo) => void;
}

interface RangesReader {
  readRanges(): Promise<readonly string[]>;
}

export interface Wire extends RequestsOptions {
  readonly container: Container;
  readonly ranges: Ranges<RangesReader>;
  readonly throttled: Throttled;
  readonly unfinished: Unfinished;
  /** Whether no request is sent again, because the provider closes. */
  isEnding: boolean;
}

export function makeWire(container: Container, options: RequestsOptions): Wire {
  return {
    ...options,
    container,
    outage: new Outage(options.clock),
    ranges: new Ranges((call) => call.readRanges()),
    throttled: new Throttled(options.clock),
    unfinished: new Unfinished(),
    isEnding: false,
  };
}
