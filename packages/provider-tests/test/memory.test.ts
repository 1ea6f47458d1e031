import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { casesOfStore } from "../../../test/support/kit-cases.ts";
import { memory } from "./support/memory.ts";

validateProvider(memory, casesOfStore());
