// #region random-calls
import { checkAgainstModel } from "@duroxide-ts/provider-tests";
import { myStore } from "./factory.ts";

await checkAgainstModel(myStore, { runs: 1_000, seed: 7 }); // throws where the store disagrees
// #endregion
