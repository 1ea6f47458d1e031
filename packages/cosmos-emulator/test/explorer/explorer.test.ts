import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath, launchBrowser } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import type { CosmosEmulatorOptions } from "../../src/index.ts";
import { ExplorerSession } from "./support/browser.ts";

if (chromiumPath === undefined) {
  process.stderr.write("Skipped: the explorer page, because there is no Chromium (set CHROMIUM_PATH).\n");
}

/** A browser on a busy machine takes its time; nothing here is about speed. */
const PATIENTLY = { timeout: 300_000 };

const ORDERS = "#/dbs/shop/colls/orders";

describe.skipIf(chromiumPath === undefined)("the explorer page", () => {
  let browser: Browser;
  let session: ExplorerSession | undefined;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, PATIENTLY.timeout);
  afterAll(() => browser.close(), PATIENTLY.timeout);
  afterEach(async () => {
    const troubles = session?.troubles ?? [];
    await session?.stop();
    session = undefined;
    expect(troubles).toEqual([]);
  }, PATIENTLY.timeout);

  async function start(options: CosmosEmulatorOptions = {}): Promise<ExplorerSession> {
    session = await ExplorerSession.start(browser, options);
    return session;
  }

  /** A container `shop/orders` with documents `order-00`, `order-01`, …, of customer "ada". */
  async function startWithDocuments(
    count: number,
    options: CosmosEmulatorOptions = {},
  ): Promise<ExplorerSession> {
    const started = await start(options);
    await started.createContainer("/customer");
    for (let n = 0; n < count; n++) {
      const id = `order-${String(n).padStart(2, "0")}`;
      const state = n % 2 === 0 ? "ready" : "done";
      await started.createDocument(["ada"], { id, customer: "ada", n, state });
    }
    return started;
  }

  it("leads from databases to containers to documents, page by page", async () => {
    const explorer = await startWithDocuments(60);
    const { page } = explorer;
    await explorer.open();
    await page.getByRole("link", { name: "orders" }).click();
    await page.getByText("Page 1, 25 documents").waitFor();
    await expectSoon(() => page.getByRole("button", { name: /^order-/ }).count()).toBe(25);
    await expectSoon(() => page.getByRole("button", { name: "Previous" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "order-07" }).click();
    await page.getByText("Read for").waitFor();
    await expectSoon(() => page.locator("tr[aria-current]").allInnerTexts()).toEqual(["order-07\tada"]);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Page 2, 25 documents").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Page 3, 10 documents").waitFor();
    await expectSoon(() => page.getByRole("button", { name: "Next" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Previous" }).click();
    await page.getByRole("button", { name: "order-25" }).waitFor();
    await expectSoon(() => page.title()).toBe("shop / orders – Cosmos DB emulator");
  });

  it("shows one logical partition if asked to", async () => {
    const explorer = await startWithDocuments(1);
    await explorer.createDocument(["chloé"], { id: "hers", customer: "chloé" });
    const { page } = explorer;
    await explorer.open(ORDERS);
    await page.getByText("2 documents").waitFor();
    await page.getByLabel("Partition key /customer").fill('"chloé"');
    await page.getByLabel("Partition key /customer").press("Enter");
    await page.getByText("1 document,").waitFor();
    await expectSoon(() => page.getByRole("button", { name: "hers" }).count()).toBe(1);
    await page.getByLabel("Partition key /customer").fill("chloé");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("The partition key is JSON").waitFor();
  });

  it("shows markup in names and documents as text, and integers with all of their digits", async () => {
    const explorer = await start();
    await explorer.createContainer("/customer");
    const markup = "<img src=x onerror=alert(1)><script>alert(2)</script>";
    const text = JSON.stringify({ id: "<b>bold<b>", customer: markup, note: markup, big: 1 });
    await explorer.createDocument([markup], text.replace('"big":1', '"big":9007199254740993'));
    const { page } = explorer;
    await explorer.open(ORDERS);
    await page.getByRole("button", { name: "<b>bold<b>" }).click();
    await page.getByText("Read for 1.00 RU.").waitFor();
    const shown = await page.getByLabel("Document", { exact: true }).locator("pre").textContent();
    expect(shown).toContain(`"note": ${JSON.stringify(markup)}`);
    expect(shown).toContain('"big": 9007199254740993');
    await expectSoon(() => page.locator("main img, main script, main b").count()).toBe(0);
    await page.getByRole("link", { name: "Query" }).click();
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText(markup).first().waitFor();
    await expectSoon(() => page.locator("main img, main script, main b").count()).toBe(0);
  });

  it.each([
    [
      ["/customer"],
      [
        { key: ["ü & ?"], document: { id: "a?b&c=d+e", customer: "ü & ?" } },
        { key: ["☃"], document: { id: "ünïcode ☃ 𝄞", customer: "☃" } },
        { key: [null], document: { id: "100%", customer: null } },
        { key: [{}], document: { id: "no key" } },
        { key: [-1.5], document: { id: "number", customer: -1.5 } },
      ],
    ],
    [
      ["/customer/name"],
      [
        { key: ["ada"], document: { id: "nested", customer: { name: "ada" } } },
        { key: [{}], document: { id: "not nested", customer: "ada" } },
      ],
    ],
    [["/tenant", "/user"], [{ key: ["t", true], document: { id: "both", tenant: "t", user: true } }]],
  ])("opens a document wherever it is: by %j", async (paths, documents) => {
    const explorer = await start();
    await explorer.createContainer(...paths);
    for (const { key, document } of documents) await explorer.createDocument(key, document);
    const { page } = explorer;
    await explorer.open(ORDERS);
    for (const { document } of documents) {
      await page.getByRole("button", { name: document.id, exact: true }).click();
      await page.getByRole("heading", { name: document.id, exact: true }).waitFor();
      const text = await page.getByLabel("Document", { exact: true }).locator("pre").textContent();
      expect(JSON.parse(text ?? "")).toMatchObject(document);
    }
  });

  it("answers a query with parameters page by page, with charge and time", async () => {
    const explorer = await startWithDocuments(10);
    const { page } = explorer;
    await explorer.open(`${ORDERS}/query`);
    const query = page.getByLabel("Query", { exact: true });
    await query.fill("SELECT VALUE c.n FROM c WHERE c.state = @state ORDER BY c.n DESC");
    await page.getByLabel("Parameters").fill('{"@state": "ready"}');
    await page.getByLabel("Page size").fill("3");
    await query.press("Control+Enter");
    await page.getByText(/^Page 1: 3 rows, \d+\.\d\d RU, [\d.]+ ms$/).waitFor();
    await page.getByText("There is more.").waitFor();
    await query.fill("typed meanwhile");
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByText(/^Page 2: 2 rows/).waitFor();
    await page.getByText(/^5 rows, \d+\.\d\d RU in all\. That is all\.$/).waitFor();
    await expectSoon(() => page.getByRole("button", { name: "Next page" }).isDisabled()).toBe(true);
    const results = await page.locator(".results pre").allTextContents();
    expect(results.map((text) => JSON.parse(text))).toEqual([
      [8, 6, 4],
      [2, 0],
    ]);
  });

  it("marks the place in a query that is wrong", async () => {
    const explorer = await startWithDocuments(0);
    const { page } = explorer;
    await explorer.open(`${ORDERS}/query`);
    await page.getByLabel("Query", { exact: true }).fill("SELECT *\nFORM c");
    await page.getByRole("button", { name: "Run" }).click();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    await expectSoon(() => alert.innerText()).toMatch(/^Line 2, column 1: Syntax error/);
    await expectSoon(() => alert.locator("mark").allTextContents()).toEqual(["FORM"]);
    await page.getByLabel("Query", { exact: true }).fill("SELECT * FROM c");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("0 rows").first().waitFor();
    await expectSoon(() => alert.count()).toBe(0);
  });

  it("says what is wrong with parameters", async () => {
    const explorer = await startWithDocuments(0);
    const { page } = explorer;
    await explorer.open(`${ORDERS}/query`);
    await page.getByLabel("Parameters").fill("7");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("Parameters are a JSON object").waitFor();
  });

  it("reads and queries a container of several physical partitions", async () => {
    const explorer = await start({ physicalPartitions: 4 });
    await explorer.createContainer("/customer");
    for (const customer of ["ada", "bob", "cid", "dan", "eve", "fay"]) {
      await explorer.createDocument([customer], { id: `of ${customer}`, customer });
    }
    const { page } = explorer;
    await explorer.open(ORDERS);
    await page.getByText("6 documents").waitFor();
    await page.getByRole("link", { name: "Query" }).click();
    const query = page.getByLabel("Query", { exact: true });
    await query.fill("SELECT * FROM c ORDER BY c.customer");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText("give a partition key").waitFor();
    await page.getByLabel("Partition key /customer").fill('"eve"');
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByText(/^Page 1: 1 row,/).waitFor();
    await page.getByRole("link", { name: "Properties" }).click();
    await page.getByRole("table", { name: "Physical partitions" }).waitFor();
    await expectSoon(() => page.getByRole("row").count()).toBe(5);
  });

  it("shows what a container was created with", async () => {
    const explorer = await startWithDocuments(0);
    const { page } = explorer;
    await explorer.open(`${ORDERS}/properties`);
    await page.getByText("Indexing policy").waitFor();
    const text = await page.getByRole("main").innerText();
    expect(text).toContain("/customer");
    expect(text).toContain("Hash, version 2");
    expect(text).toContain('"indexingMode": "consistent"');
  });

  it("shows the request log with charges, and refreshes it by itself", async () => {
    const explorer = await startWithDocuments(0);
    const { page } = explorer;
    await page.clock.install();
    await explorer.open("#/requests");
    await page.getByRole("heading", { name: "Requests" }).waitFor();
    await page.clock.runFor(100);
    await page.getByText("0 requests, 0.00 RU in all.").waitFor();

    const refused = await fetch(`${explorer.emulator.endpoint}dbs/shop/colls/orders/docs/%3Ci%3E`);
    await page.clock.runFor(2_100);
    const row = page.getByRole("row").nth(1);
    await row.waitFor();
    await expectSoon(() => row.innerText()).toContain(`/dbs/shop/colls/orders/docs/<i>`);
    await expectSoon(() => row.innerText()).toContain(String(refused.status));
    await expectSoon(() => page.getByRole("row").count()).toBe(2);

    await page.getByLabel("Those of this page too").check();
    await expectSoon(() => page.getByRole("row").count()).toBeGreaterThan(3);
    await page.getByLabel("Filter").fill("container.create");
    await expectSoon(() => page.getByRole("row").count()).toBe(2);
  });

  it("can be bookmarked, and says when there is no such container", async () => {
    const explorer = await startWithDocuments(1);
    const { page } = explorer;
    await explorer.open("#/dbs/shop/colls/none/query");
    const alert = page.getByRole("alert");
    await alert.waitFor();
    await expectSoon(() => alert.innerText()).toMatch(/^404/);
    await page.getByRole("link", { name: "orders" }).click();
    await page.getByRole("button", { name: "Run" }).waitFor();
    expect(page.url()).toContain("#/dbs/shop/colls/orders/query");
    await page.goBack();
    await alert.waitFor();
  });

  it("says that the endpoint does not answer any more", async () => {
    const explorer = await startWithDocuments(1);
    const { page } = explorer;
    await explorer.open(ORDERS);
    await page.getByText("1 document,").waitFor();
    await explorer.emulator.stop();
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("The endpoint does not answer.").waitFor();
  });

  it("can be used by the keyboard alone", async () => {
    const explorer = await startWithDocuments(1);
    const { page } = explorer;
    await explorer.open();
    await page.getByRole("link", { name: "orders" }).waitFor();
    await page.getByRole("link", { name: "orders" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "order-00" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Read for").waitFor();
  });

  it("follows the colour scheme of the system", async () => {
    const explorer = await start();
    const { page } = explorer;
    const ground = (): Promise<unknown> => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.emulateMedia({ colorScheme: "light" });
    await explorer.open();
    expect(await ground()).toBe("rgb(255, 255, 255)");
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await ground()).toBe("rgb(22, 25, 29)");
  });

  it("has a name for every field, in each of its views", async () => {
    const explorer = await startWithDocuments(1);
    const { page } = explorer;
    for (const address of [ORDERS, `${ORDERS}/query`, "#/requests"]) {
      await explorer.open(address);
      await page.getByRole("main").locator("input").first().waitFor();
      const fields = page.getByRole("main").locator("input, textarea, select");
      for (const field of await fields.all()) {
        await expectSoon(() =>
          field.evaluate((it) => it.closest("label")?.querySelector(".label")?.textContent),
        ).toBeTruthy();
      }
    }
  });
});
