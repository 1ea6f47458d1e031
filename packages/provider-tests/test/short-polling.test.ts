/** A store that polls short and has none of the optional parts shows every behaviour that applies to it. */

import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { shortPolling } from "./support/short-polling.ts";

validateProvider(shortPolling);
