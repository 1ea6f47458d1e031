/** Phase 1: the provider creates its container, and finds it as it wants it. */
import { type Fields, fieldsOf } from "../../cosmos-emulator/conformance/client/reply.ts";
import { expectEqual, expectStatus } from "../../cosmos-emulator/conformance/expect.ts";
import { DEFAULT_TTL, PARTITION_KEY_PATH } from "../src/connection/container-definition.ts";
import { indexingDrift } from "../src/connection/indexing-drift.ts";
import { openContainer } from "../src/connection/open-container.ts";
import { step } from "./step.ts";

export const CONTAINER = step({
  id: "1",
  phase: 1,
  title: "Container",
  gates: {
    created:
      "the container exists after it was opened, with partition key, key version and time to live as asked",
    "indexing-policy": "the stored indexing policy has every index that a query needs",
    "second-open": "opening what exists changes nothing and warns of nothing",
  },
  estimateRu: () => 50,
  isRecorded: true,
  async run(stage, notes) {
    let stored: Fields = {};
    const read = async (): Promise<Fields> =>
      expectStatus(await stage.raw.send({ method: "GET", link: stage.containerLink }), 200).fields;
    await notes.gate("created", async () => {
      await stage.items;
      stored = await read();
      const { paths, version } = fieldsOf(stored["partitionKey"]);
      expectEqual(
        [paths, version, stored["defaultTtl"]],
        [[PARTITION_KEY_PATH], 2, DEFAULT_TTL],
        "partition key, version and time to live",
      );
    });
    notes.record("indexing policy", stored["indexingPolicy"]);
    await notes.gate("indexing-policy", () => {
      const { paths, composites } = indexingDrift(fieldsOf(stored["indexingPolicy"]));
      const lacking = [...paths, ...composites].map((each) => each.paths.join(", "));
      expectEqual(lacking, [], "indexes that the service did not keep");
    });
    await notes.gate("second-open", async () => {
      await using opened = await openContainer(stage.settings({ createIfMissing: false }));
      expectEqual(opened.warnings, [], "warnings of the second opening");
      expectEqual((await read())["_etag"], stored["_etag"], "the container's etag");
    });
  },
});
