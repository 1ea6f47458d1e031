/** The example provider shows every behaviour that applies to it. */
import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { example } from "../example/factory.ts";

validateProvider(example);
