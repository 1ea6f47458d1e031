/** `GET /api/inputs`: what the inputs of known orchestrations consist of. */
import type { InputsView } from "../page/shapes/inputs.ts";
import type { ReadRoute } from "./route.ts";

export const inputs: ReadRoute = {
  path: "inputs",
  async read({ source }): Promise<InputsView> {
    return { rows: source.orchestrations.inputs };
  },
};
