/** Every screen, in a real browser, on one store in each run and on both in a deep one. */
import { describe, expect, it } from "vitest";
import { chromiumPath } from "../../../../test/support/chromium.ts";
import { expectSoon } from "../../../../test/support/expect-soon.ts";
import { shared } from "../../../../test/support/shared.ts";
import { Stage } from "../support/stage.ts";
import { storesOfRun } from "../support/stores.ts";

describe.skipIf(chromiumPath === undefined).each(storesOfRun(1))("the dashboard on %s", (storeName) => {
  const stage = shared(() => Stage.open(storeName));

  it("counts on its first page what runs, and leads from a figure to its list", async () => {
    const page = await stage().page("");
    await page
      .getByText(storeName === "cosmos" ? /^at least \d+\.\d RU, \d+ ms, read at/ : /^\d+ ms, read at/)
      .waitFor();
    await page.getByRole("link", { name: /^\d+\s*running$/ }).click();
    await page.getByRole("heading", { name: "Instances" }).waitFor();
    expect(page.url()).toContain("state=running");
    await page.getByRole("link", { name: "order-2001", exact: true }).waitFor();
    await page.getByRole("link", { name: "order-1041", exact: true }).waitFor({ state: "detached" });
  });

  it("lists the instances with their states and errors", async () => {
    const page = await stage().page("instances");
    const row = page
      .getByRole("row")
      .filter({ has: page.getByRole("link", { name: "order-1050", exact: true }) });
    await row.waitFor();
    await expectSoon(() => row.innerText()).toContain("failed");
    await expectSoon(() => row.innerText()).toContain("card declined: insufficient funds");
    await expectSoon(() => page.getByRole("link", { name: "order-2001" }).count()).toBe(1);
  });

  it("filters by conditions that are chips, stand in the address, and can be removed", async () => {
    const page = await stage().page("instances");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("combobox", { name: "state" }).selectOption("failed");
    await page.getByLabel("orchestration").fill("checkout");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("button", { name: "Remove the filter: state failed" }).waitFor();
    await page.getByRole("link", { name: "basket-7", exact: true }).waitFor({ state: "detached" });
    await expectSoon(() => page.locator("tbody tr").count()).toBe(1);
    expect(page.url()).toContain("state=failed&name=checkout");
    await page.getByRole("button", { name: "Count" }).click();
    await page.getByText("1 match").waitFor();
    await page.getByRole("button", { name: "Remove the filter: state failed" }).click();
    await page.getByRole("link", { name: "order-1041", exact: true }).waitFor();
  });

  it("leads from a row to the waterfall with the attempts of a call, and shows its input and its error", async () => {
    const page = await stage().page("instances");
    await page.getByRole("link", { name: "order-1050", exact: true }).click();
    await page.getByRole("option", { name: /activity chargeCard ?, failed.*4 attempts/ }).click();
    const inspector = page.getByRole("complementary");
    await inspector.getByText("4 of 4").waitFor();
    await inspector.getByText('"customer": "Ada Lovelace"').waitFor();
    await expectSoon(() => inspector.innerText()).toContain("CardDeclinedError");
    await expectSoon(() => page.locator(".part.delay").count()).toBeGreaterThan(3);
    expect(page.url()).toContain("bar=");
  });

  it("opens an instance by its address, whatever its id, and shows the labels of its calls", async () => {
    const page = await stage().page("instances/order-3007");
    await page.getByText(/^waiting, running for/).waitFor();
    await page.getByRole("option", { name: /child shipParcel parcel b2/ }).click();
    await page.getByRole("complementary").getByText("parcel b2").waitFor();
    expect(page.url()).toContain("instance?id=order-3007");
    const id = "a/b//c.d %41?";
    await stage().shop.client.start("nobody", { instanceId: id });
    await page.goto(`instances/${encodeURIComponent(id)}`);
    await page.getByText(`${id}: `).waitFor();
  });

  it("says of an instance that has ended that its custom status is the last one", async () => {
    const page = await stage().page("instance?id=order-2002");
    await page.getByText("last status: waiting for approval").waitFor();
  });

  it("says that an instance cleans up after a cancellation, since when, and why", async () => {
    const page = await stage().page("instance?id=rental-5");
    await page.getByText(/^cancelling, running for/).waitFor();
    await page.getByText(/^Being cancelled for .*: its clean-up runs/).waitFor();
    await page.getByRole("tab", { name: "State" }).click();
    await page.getByText("the card was reported stolen").waitFor();
    await stage().shop.client.handle("rental", "rental-5").raise("returned", true);
    await page.getByText(/^cancelled after/).waitFor();
    await page.getByText(/^Being cancelled for/).waitFor({ state: "detached" });
  });

  it("shows the messages of an instance as a sequence and as a table", async () => {
    const page = await stage().page("instance?id=order-1050");
    await page.getByRole("button", { name: "Sequence" }).click();
    expect(page.url()).toContain("view=sequence");
    const messages = page.getByRole("listbox", { name: "Messages in the order of time" });
    await messages.getByRole("option", { name: /Outside to Instance, start/ }).waitFor();
    const options = await messages.getByRole("option").allInnerTexts();
    expect(options.filter((text) => text.includes("card declined"))).toHaveLength(4);
    expect(options.at(-1)).toContain("failed");
    await messages
      .getByRole("option", { name: /Instance to chargeCard, chargeCard, attempt 2 of 4/ })
      .click();
    await page.getByRole("complementary").getByText("4 of 4").waitFor();
    await expectSoon(() => page.locator(".lane-head").allInnerTexts()).toEqual([
      "Outside",
      "Instance",
      "reserveStock",
      "chargeCard",
    ]);
    await page.keyboard.press("k");
    await page.getByRole("complementary").getByText("reserveStock").waitFor();
    await page.getByRole("button", { name: "Table" }).click();
    const rows = page.getByRole("row", { name: /chargeCard Instance failed after .*: card declined/ });
    await expectSoon(() => rows.count()).toBe(4);
  });

  it("shows the history, the state and the children of an instance", async () => {
    const page = await stage().page("instance?id=order-1041");
    await page.getByRole("tab", { name: "History" }).click();
    await page.getByRole("button", { name: /KeyValueSet/ }).click();
    await page.getByText('"value": 1997').waitFor();
    await page.getByRole("tab", { name: "State" }).click();
    await page.getByRole("heading", { name: "total" }).waitFor();
    await page.getByText('"shipping"', { exact: true }).waitFor();
    await page.getByRole("tab", { name: "Children" }).click();
    await page.getByRole("link", { name: /order-1041::sub::/ }).click();
    await page.getByRole("heading", { name: /order-1041::sub::/ }).waitFor();
  });

  it("shows the messages that an instance has not received, with their queue, age, size and payload", async () => {
    await stage()
      .shop.client.handle("approval", "order-2001")
      .enqueue("remarks", { text: "leave at the door" });
    const page = await stage().page("instance?id=order-2001&tab=state");
    const unread = page.getByRole("region", { name: "Not received" });
    await unread.getByRole("heading", { name: "queue remarks" }).waitFor();
    await expectSoon(() => unread.innerText()).toContain('"text": "leave at the door"');
    await expectSoon(() => unread.innerText()).toMatch(/(now|ago), 28 B stored/);
  });

  it("says why an instance is blocked, and what to do", async () => {
    const page = await stage().page("instance?id=invoice-9&tab=code");
    await page.getByText("Deploy a worker that has this activity.").waitFor();
    await expectSoon(() => page.getByText(/no handler for activity "printInvoice"/).count()).toBeGreaterThan(
      0,
    );
  });

  it("shows the executions of an instance that continued as new", async () => {
    const page = await stage().page("instance?id=rounds-1");
    await page.getByRole("combobox", { name: "Execution" }).selectOption("1");
    const inspector = page.getByRole("complementary");
    await inspector.getByText("1", { exact: true }).waitFor();
    expect(page.url()).toContain("execution=1");
  });

  it("lists queue rows and workers", async () => {
    const page = await stage().page("work");
    await page.getByText(/messages and .* activities ready|A count reads all rows/).waitFor();
    await page.getByRole("link", { name: "order-2001" }).first().waitFor();
    await page.getByRole("tab", { name: "Dead letters" }).click();
    await page.getByText("No dead letters").waitFor();
    await page.getByRole("link", { name: "Workers", exact: true }).click();
    await page.getByRole("heading", { name: "Workers" }).waitFor();
  });

  it("says so where there is no such instance, and no such place", async () => {
    const page = await stage().page("instance?id=order-404");
    await page.getByText("There is no such instance").waitFor();
    await page.goto("nowhere");
    await page.getByText("There is nothing at this address").waitFor();
  });
});
