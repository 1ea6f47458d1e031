/** The quota and the usage of a container (docs/reference/cosmos-protocol.md §1.5, §1.12). */
import type { Container } from "../../engine/index.ts";
import { HEADER } from "./headers.ts";

/** Kilobytes, as the service answers them for a container without limits of its own. */
const QUOTA = "documentSize=10240;documentsSize=10485760;documentsCount=-1;collectionSize=10485760;";

export function quotaHeaders(container: Container): Record<string, string> {
  const { items, bytes } = container.usage();
  const kilobytes = Math.ceil(bytes / 1024);
  return {
    [HEADER.quota]: QUOTA,
    [HEADER.usage]: `documentSize=0;documentsSize=${kilobytes};documentsCount=${items};collectionSize=${kilobytes};`,
  };
}
