/** Every behaviour of the contract, on files. */

import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { casesOfStore } from "../../../test/support/kit-cases.ts";
import { sqlite } from "./support/factory.ts";

// I2, I3 (storing/message-ids.ts): the kit repeats messages, and creates an instance again under a deleted id.
// T1, T2 (storing/delete-tree.ts): the kit refuses deletions, and acknowledges the work of deleted instances.
validateProvider(sqlite, casesOfStore());
