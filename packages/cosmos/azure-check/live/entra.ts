/** `--entra`: the documented role is enough, from the opening to the administration. */
import { expect, expectEqual, expectStatus, type RawClient } from "@duroxide-ts/cosmos-emulator/conformance";
import type { Stage } from "../stage.ts";
import { step } from "../step.ts";
import { Load } from "./load.ts";

const SOME = 5;

export const ENTRA = step({
  id: "entra",
  phase: "entra",
  title: "The documented role of an identity",
  gates: {
    "entra-opens":
      "an identity with the role opens the container; where it may not, the error names the missing action",
    "entra-works": "orchestrations end for that identity, and the administration lists and deletes them",
  },
  estimateRu: () => 3_000,
  async run(stage, notes) {
    const { credential } = stage.place;
    if (credential === undefined) return notes.skipAll("the check was not given an identity: add --entra");
    // What other steps left in theirs would be run here.
    const place = stage.ownContainer("entra");
    await using _created = await stage.connect(place);
    const prefix = stage.partition("entra");
    await notes.gate("entra-opens", async () => {
      await using _provider = await stage.connect({ ...place, credential });
    });
    await notes.gate("entra-works", async () => {
      await using provider = await stage.connect({ ...place, credential });
      await using load = await Load.begin(provider, prefix, stage.scale.patienceMs);
      await load.until(SOME);
      const { lost, started } = await load.end();
      expectEqual(lost, [], "orchestrations that did not end");
      const { instances } = await provider.admin.queryInstances();
      const instanceIds = instances.map(({ instanceId }) => instanceId);
      expect(
        instanceIds.some((id) => id.startsWith(prefix)),
        "none of them is listed",
      );
      await provider.admin.getSystemMetrics();
      const own = Array.from({ length: started }, (_, n) => `${prefix}-${n}`);
      const { instancesDeleted } = await provider.admin.deleteInstances({ instanceIds: own });
      expectEqual(instancesDeleted, started, "instances deleted");
    });
    using identity = closing(stage.rawClient(undefined, { as: "identity" }));
    await notes.expect("an identity cannot create a database: 403/5300", () =>
      cannotCreate(identity.client, stage),
    );
  },
});

async function cannotCreate(client: RawClient, stage: Stage): Promise<void> {
  const id = stage.partition("duroxide-check-forbidden");
  const reply = await client.send({ method: "POST", link: "dbs", body: { id } });
  if (reply.status === 201) await client.send({ method: "DELETE", link: `dbs/${id}` });
  expectStatus(reply, 403, 5300);
}

function closing(client: RawClient): { readonly client: RawClient } & Disposable {
  return { client, [Symbol.dispose]: () => client.close() };
}
