/** Every behaviour of the contract, on files. */

import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { casesOfStore } from "../../../test/support/kit-cases.ts";
import { sqlite } from "./support/factory.ts";

// message-ids.I2, message-ids.I3: the kit repeats messages, and creates an instance again under a deleted id.
// delete-tree.T1, delete-tree.T2: the kit refuses deletions, and acknowledges the work of deleted instances.
validateProvider(sqlite, casesOfStore());
