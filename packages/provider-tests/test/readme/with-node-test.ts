// #region node-test
import { validateProvider } from "@duroxide-ts/provider-tests/node-test";
import { myStore } from "./factory.ts";

validateProvider(myStore);
// #endregion
