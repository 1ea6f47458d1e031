/**
 * The behaviours of the contract on a database in memory, which only this process can open, so waits need no polling.
 */
import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { casesOfVariant } from "../../../test/support/kit-cases.ts";
import { sqliteInMemory } from "./support/factory.ts";

/** Every statement is the same as on files, where all of them run; only waits differ. */
validateProvider(sqliteInMemory, casesOfVariant(["polling", "long_polling"]));
