/**
 * `npm run dev -- azure-check [--rehearsal | --connection-string-env NAME | --endpoint URL …]`: whether an account does what
 * the provider relies on. Exits with 0 where every gate is green, with 1 where one is red, with 2 for a wrong command line.
 */
import { readCommand } from "./command.ts";

const command = readCommand();
// A wrong flag is refused before the steps are loaded, which takes longer.
const { perform } = await import("./perform.ts");
process.exitCode = await perform(command);
