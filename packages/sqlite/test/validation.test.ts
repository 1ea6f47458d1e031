/** Every behaviour of the contract, on files. */

import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { casesOfStore } from "../../../test/support/kit-cases.ts";
import { sqlite } from "./support/factory.ts";

validateProvider(sqlite, casesOfStore());
