/** The page: a bar, the list of containers, and the view that belongs to the address. */
import { readContainer } from "./container.ts";
import { DocumentsView } from "./documents-view.ts";
import { browser, element, type PageElement, page } from "./dom.ts";
import { addressOf, Navigation, type Place, pageLink, placeIn, SECTIONS } from "./navigation.ts";
import { propertiesView } from "./properties-view.ts";
import { QueryView } from "./query-view.ts";
import { RequestsView } from "./requests-view.ts";
import { errorText, heading, type View } from "./view.ts";

const NAME = "Cosmos DB emulator";

const navigation = new Navigation();
const bar = element("header", { class: "bar" });
const main = element("main", { id: "main", tabindex: "-1" });

let shown: View | undefined;
/** Grows with each change of the address; a view that was slow to load must not replace a later one. */
let visits = 0;

async function visit(): Promise<void> {
  visits += 1;
  const ownVisit = visits;
  const place = placeIn(browser.location.hash);
  bar.replaceChildren(...barLinks(place));
  navigation.mark(place);
  const view = await viewOf(place).catch(failedView);
  if (ownVisit !== visits) {
    view.stop?.();
    return;
  }
  shown?.stop?.();
  shown = view;
  page.title = `${view.title} – ${NAME}`;
  main.replaceChildren(view.root);
}

async function viewOf(place: Place): Promise<View> {
  if (place.kind === "requests") return new RequestsView();
  return place.kind === "container" ? containerView(place) : startView();
}

async function containerView(place: Extract<Place, { kind: "container" }>): Promise<View> {
  const { database, container, section } = place;
  const info = await readContainer(database, container);
  const sections = SECTIONS.map((name) =>
    pageLink(
      `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
      addressOf(database, container, name),
      name === section,
    ),
  );
  const title = `${database} / ${container}`;
  const head = heading(title, element("nav", { class: "sections", "aria-label": "Container" }, ...sections));
  return { title, root: element("div", {}, head, await sectionView(info, section)) };
}

async function sectionView(
  info: Awaited<ReturnType<typeof readContainer>>,
  section: (typeof SECTIONS)[number],
): Promise<PageElement> {
  if (section === "properties") return propertiesView(info);
  if (section === "query") return new QueryView(info).root;
  const documents = new DocumentsView(info);
  await documents.load();
  return documents.root;
}

function startView(): View {
  const text =
    "Choose a container on the left. Databases and containers are made by an SDK, with the endpoint and the key that the emulator prints at its start.";
  return { title: "Start", root: element("div", {}, heading("Data explorer"), element("p", {}, text)) };
}

function failedView(error: unknown): View {
  const text = element("p", { class: "error", role: "alert" }, errorText(error));
  return { title: "Error", root: element("div", {}, heading("This cannot be shown"), text) };
}

function barLinks({ kind }: Place): PageElement[] {
  return [
    element("a", { class: "name", href: "#/" }, NAME),
    element(
      "nav",
      { "aria-label": "Endpoint" },
      pageLink("Data", "#/", kind === "start" || kind === "container"),
      pageLink("Requests", "#/requests", kind === "requests"),
    ),
  ];
}

page.body.append(bar, navigation.root, main);
browser.addEventListener("hashchange", visit);
await Promise.all([navigation.load(), visit()]);
