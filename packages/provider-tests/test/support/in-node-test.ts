/** The kit in Node's own test runner. From the root of the repository: see README.md. */
import { validateProvider } from "@duroxide-ts/provider-tests/node-test";
import { shortPolling } from "./short-polling.ts";

validateProvider(shortPolling);
