/** The fault rules that are on. They are made by API or `/_emulator/faults`, where tests make them too. */
import { element, type PageElement } from "./dom.ts";
import { callTool, listOf } from "./endpoint.ts";
import { isObject, type JsonObject, textOf } from "./exact-json.ts";
import { repeat } from "./repeat.ts";
import { heading, News, table, type View } from "./view.ts";

const REFRESH_MS = 2000;
const COLUMNS = ["id", "Effect", "Requests", "Rate", "Skips", "Ends after", "Hits"].map((name) => ({ name }));

const EXAMPLE = `POST /_emulator/faults
{"match": {"operation": "write"}, "rate": 0.1, "effect": {"kind": "error", "status": 429}}
{"next": 1, "effect": {"kind": "operationError", "operationType": "Create", "status": 403, "substatus": 1014}}`;

export class FaultsView implements View {
  readonly title = "Faults";
  readonly root: PageElement;
  readonly stop: () => void;

  constructor() {
    const news = new News();
    const list = element("div", {});
    const how = element("p", {}, "Rules are added and removed by the emulator's API, or by HTTP:");
    this.root = element("div", {}, heading("Faults", news.root), list, how, element("pre", {}, EXAMPLE));
    this.stop = repeat(REFRESH_MS, () =>
      news.during(async () => {
        const faults = listOf(await callTool("faults"), "faults");
        news.tell(faults.length === 0 ? "No rule is on: requests succeed or fail by themselves." : "");
        list.replaceChildren(...(faults.length === 0 ? [] : [table("Rules", COLUMNS, faults.map(row))]));
      }),
    );
  }
}

function row({ id, rule, hits }: JsonObject): PageElement {
  const { effect, match, rate, skip, next } = isObject(rule) ? rule : ({} as JsonObject);
  const texts = [id, effect, match ?? "all", rate ?? 1, skip ?? 0, next ?? "never", hits].map(textOf);
  return element("tr", {}, ...texts.map((text) => element("td", {}, text)));
}
