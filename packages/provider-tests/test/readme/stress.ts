// #region stress
import { stressFromFlags } from "@duroxide-ts/provider-tests";
import { myStore } from "./factory.ts";

process.exitCode = await stressFromFlags(myStore, process.argv.slice(2));
// #endregion
