/** Findings from what a store warns of: while it is opened, and while it is examined. */
import { type Logger, silentLogger } from "@duroxide-ts/core/client";
import type { Finding } from "./finding.ts";

export class StoreWarnings {
  readonly findings: Finding[] = [];

  /**
   * Logger of the store. A wrong clock and missing indexes are red, because both can be mended and neither mends
   * itself; some other warnings are of what a container has for good.
   */
  readonly logger: Logger = {
    ...silentLogger,
    info: (fields, message) => {
      if (fields["about"] === "advice") this.findings.push({ level: "warn", text: message });
    },
    warn: (fields, message) =>
      void this.findings.push({ level: fields["about"] === undefined ? "warn" : "red", text: message }),
  };
}
