/** `GET /api/export`: the history of an instance for `replay`, as a file. */
import { exportHistory } from "@duroxide-ts/core/testing";
import { historyFileName } from "../page/shapes/history-file.ts";
import { parameter, type ReadRoute } from "./route.ts";

export const exported: ReadRoute = {
  path: "export",
  isLong: true,
  async read(call): Promise<Response> {
    const instanceId = parameter(call, "id");
    const body = await exportHistory(call.source.client, instanceId);
    return new Response(body, {
      headers: {
        "content-type": "application/json; charset=utf-8",
        "content-disposition": `attachment; filename="${historyFileName(instanceId)}"`,
      },
    });
  },
};
