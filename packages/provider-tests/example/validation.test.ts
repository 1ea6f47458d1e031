/** The example in Node's own test runner. From the root of the repository: see the README beside this folder. */
import { validateProvider } from "@duroxide-ts/provider-tests/node-test";
import { example } from "./factory.ts";

validateProvider(example);
