/** Every dialog and menu of the page, opened, before an accessibility checker. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { chromiumPath } from "../../../../test/support/chromium.ts";
import { shared } from "../../../../test/support/shared.ts";
import { contextOf, faultsOf, LOOKS, seenIn } from "../support/accessibility.ts";
import { Stage } from "../support/stage.ts";

interface Opened {
  readonly place: string;
  open(page: Page): Promise<void>;
  /** A dialog unless it is said. */
  readonly role?: "list";
}

function byButton(place: string, name: string): Opened {
  return { place, open: (page) => page.getByRole("button", { name, exact: true }).click() };
}

function byMenu(id: string, name: string): Opened {
  return {
    place: `instance?id=${id}`,
    async open(page) {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("button", { name }).click();
    },
  };
}

function byBar(id: string, bar: RegExp, name: string): Opened {
  return {
    place: `instance?id=${id}`,
    async open(page) {
      await page.getByRole("option", { name: bar }).click();
      await page.getByRole("button", { name }).click();
    },
  };
}

function onSelected(id: string, verb: string): Opened {
  return {
    place: `instances?prefix=${id}`,
    async open(page) {
      await page.getByLabel(`Select ${id}`).check();
      await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: verb }).click();
    },
  };
}

const OPENED: Readonly<Record<string, Opened>> = {
  cancel: byButton("instance?id=order-2001", "Cancel"),
  rewind: byBar("order-1042", /activity chargeCard/, "Rewind to before this"),
  prune: byMenu("rounds-1", "Prune executions …"),
  delete: byMenu("order-1046", "Delete …"),
  "raise an event": byBar("order-2001", /event approved/, "Raise this event"),
  "send a message": byBar("basket-7", /queue lines/, "Send a message"),
  "an action on many": onSelected("order-2001", "Terminate"),
  "an action on many that was refused": {
    ...onSelected("basket-7", "Retry"),
    async open(page) {
      await onSelected("basket-7", "Retry").open(page);
      await page.getByRole("button", { name: "Retry 1" }).click();
      await page.getByText("1 refused").waitFor();
    },
  },
  "an action that was refused": {
    place: "instance?id=order-2001",
    async open(page) {
      await page.getByRole("button", { name: "Cancel", exact: true }).click();
      await page.route("**/api/act", (route) => route.abort());
      await page.getByRole("dialog").getByRole("button", { name: "Cancel", exact: true }).click();
      await page.getByRole("alert").getByText("does not answer").waitFor();
    },
  },
  help: byButton("", "Keys and help"),
  filter: byButton("instances", "Filter"),
  "save a view": {
    place: "instances?state=failed",
    async open(page) {
      await page.getByRole("button", { name: "Views" }).click();
      await page.getByRole("button", { name: "Save this view …" }).click();
    },
  },
  "the menu of an instance": { ...byButton("instance?id=order-2001", "More actions"), role: "list" },
};

describe.skipIf(chromiumPath === undefined)("an opened dialog", () => {
  const stage = shared(() => Stage.open("sqlite"));

  it.each(LOOKS)("has nothing serious for an accessibility checker, $scheme at $width", async (look) => {
    for (const [name, { place, open, role = "dialog" }] of seenIn(look, Object.entries(OPENED))) {
      const page = await stage().page(place, contextOf(look));
      await open(page);
      const opened = page.getByRole(role, { name: role === "list" ? "More actions" : /\S/ });
      await opened.waitFor();
      expect(await faultsOf(page, look), `${name} ${look.width} ${look.scheme}`).toEqual([]);
      const box = await opened.boundingBox();
      expect(box?.x, name).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? Number.NaN), name).toBeLessThanOrEqual(look.width);
    }
  });

  it.each(Object.entries(OPENED).filter(([, { role }]) => role === undefined))(
    "%s is closed by Escape",
    async (_name, { place, open }) => {
      const page = await stage().page(place);
      await open(page);
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
  );
});
