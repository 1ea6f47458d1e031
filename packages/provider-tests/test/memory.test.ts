import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { memory } from "./support/memory.ts";

validateProvider(memory);
