// #region vitest
import { validateProvider } from "@duroxide-ts/provider-tests/vitest";
import { myStore } from "./factory.ts";

validateProvider(myStore);
// #endregion
