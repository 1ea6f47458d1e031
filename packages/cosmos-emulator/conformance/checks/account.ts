/** The account document, by which SDKs find the endpoint, and the requests that every other one depends on. */
import { inGroup, NotApplicable } from "../check.ts";
import { type Fields, fieldsOf, textOf } from "../client/reply.ts";
import { expect, expectEqual, expectStatus } from "../expect.ts";
import { type Target, unique } from "../target.ts";

const readAccount = async (target: Target, headers = {}): Promise<Fields> =>
  expectStatus(await target.raw.send({ method: "GET", link: "", path: "/", headers }), 200).fields;

const locationOf = (account: Fields, list: string): Fields => fieldsOf((account[list] as unknown[])[0]);

export const ACCOUNT = inGroup("account", [
  {
    name: "has an id other than localhost",
    evidence: ["0.1 account id", "6 account id"],
    async run(target) {
      const { id } = await readAccount(target);
      expect(textOf(id) !== "localhost" && id !== "", `the id is ${JSON.stringify(id)}`);
    },
  },
  {
    name: "is read a few times by the SDK, not with each operation",
    evidence: ["0.1 account id", "6 account id"],
    async run(target) {
      let accountReads = 0;
      const client = target.sdkClient({}, ({ path }) => {
        if (path === "") accountReads++;
      });
      const container = await target.sdkContainer(await target.items, client);
      for (let n = 0; n < 10; n++) await container.item("absent", unique("pk")).read();
      client.dispose();
      expect(accountReads <= 3, `${accountReads} reads of the account for 10 operations`);
    },
  },
  {
    name: "names the address by which it was called",
    evidence: ["0.2 advertised address", "1.1 account read"],
    async run(target) {
      const account = await readAccount(target);
      for (const list of ["writableLocations", "readableLocations"]) {
        const location = locationOf(account, list);
        textOf(location["name"]);
        const address = new URL(textOf(location["databaseAccountEndpoint"]));
        const isRegional = target.isHosted && address.hostname.endsWith(".azure.com");
        if (!isRegional) expectEqual(address.origin, target.endpoint.origin, list);
      }
    },
  },
  {
    name: "follows the Host header in the address that it names",
    evidence: ["0.2 advertised address"],
    async run(target) {
      if (target.isHosted) throw new NotApplicable("an account of Azure has names of its own");
      const name = target.endpoint.hostname === "localhost" ? "127.0.0.1" : "localhost";
      const host = `${name}:${target.endpoint.port}`;
      const account = await readAccount(target, { host });
      const address = textOf(locationOf(account, "writableLocations")["databaseAccountEndpoint"]);
      expectEqual(new URL(address).host, host, "databaseAccountEndpoint");
    },
  },
  {
    name: "has the members that an account has",
    evidence: ["1.1 account document", "1.1 account read"],
    async run(target) {
      const account = await readAccount(target);
      const members = [
        "_self",
        "_rid",
        "media",
        "addresses",
        "_dbs",
        "userReplicationPolicy",
        "systemReplicationPolicy",
      ];
      for (const member of [...members, "readPolicy"]) expect(member in account, `${member} is missing`);
      const { defaultConsistencyLevel } = fieldsOf(account["userConsistencyPolicy"]);
      textOf(defaultConsistencyLevel);
      expectEqual(account["enableMultipleWriteLocations"], false, "enableMultipleWriteLocations");
    },
  },
  {
    name: "gives the configuration of the query engine as JSON text",
    evidence: ["1.1 account document"],
    async run(target) {
      const account = await readAccount(target);
      const configuration = fieldsOf(JSON.parse(textOf(account["queryEngineConfiguration"])));
      expectEqual(configuration["maxSqlQueryInputLength"], 524_288, "maxSqlQueryInputLength");
    },
  },
  {
    name: "does not ask for failover by partition",
    evidence: ["1.1 failover per partition"],
    async run(target) {
      const account = await readAccount(target);
      expect(
        account["enablePerPartitionFailoverBehavior"] !== true,
        "enablePerPartitionFailoverBehavior is true",
      );
    },
  },
  {
    name: "answers clients of older and newer versions",
    evidence: ["1.2 versions"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      for (const version of ["2018-12-31", "2020-07-15"]) {
        const created = await items.create([pk], { id: version, pk }, { "x-ms-version": version });
        expectStatus(created, 201);
      }
    },
  },
  {
    name: "compares values of headers without regard to case",
    evidence: ["1.2 case of values"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      expectStatus(await items.create([pk], { id: "a", pk }), 201);
      for (const yes of ["true", "True", "TRUE"]) {
        const replaced = await items.create([pk], { id: "a", pk }, { "x-ms-documentdb-is-upsert": yes });
        expectStatus(replaced, 200);
      }
      const no = await items.create([pk], { id: "a", pk }, { "x-ms-documentdb-is-upsert": "False" });
      expectStatus(no, 409);
    },
  },
  {
    name: "takes a point read for what it is although the query header is there",
    evidence: ["1.2 query enabled everywhere"],
    async run(target) {
      const items = await target.items;
      const pk = unique("pk");
      await items.create([pk], { id: "a", pk });
      const headers = { "x-ms-documentdb-query-enablecrosspartition": "true" };
      const read = expectStatus(await items.read([pk], "a", headers), 200);
      expectEqual(read.fields["id"], "a", "the id");
    },
  },
]);
