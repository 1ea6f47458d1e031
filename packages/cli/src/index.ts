/**
 * The types of a `duroxide.config.ts` of the command line.
 *
 * @module @duroxide-ts/cli
 */

export type { DuroxideConfig, ProviderSource } from "./store/config.ts";
