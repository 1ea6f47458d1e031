/** The frame of the page: navigation, the view that belongs to the address, help. */
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { toggleZone } from "./browser/kept-zone.ts";
import { useKeys } from "./browser/keys.ts";
import { toggleLive, useLive } from "./browser/live.ts";
import { go, href, type Place, TITLE, usePlace } from "./browser/place.ts";
import { useResource } from "./browser/resource.ts";
import { currentTheme, toggleTheme } from "./browser/theme.ts";
import { zoneName } from "./browser/zone.ts";
import { h } from "./element.ts";
import { Help } from "./parts/help.ts";
import { type IconName, icon } from "./parts/icons.ts";
import { Button, Link, Loading, Trouble } from "./parts/parts.ts";
import { SessionContext } from "./parts/session-context.ts";
import { SCREENS } from "./screens/screens.ts";
import type { Session } from "./shapes/session.ts";

interface Section {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
}

const SECTIONS: readonly Section[] = [
  { path: "", label: "Overview", icon: "overview" },
  { path: "instances", label: "Instances", icon: "instances" },
  { path: "schedules", label: "Schedules", icon: "timer" },
  { path: "limits", label: "Limits", icon: "limits" },
  { path: "work", label: "Work", icon: "work" },
  { path: "workers", label: "Workers", icon: "workers" },
  { path: "start", label: "Start", icon: "start" },
];

export function App(): VNode {
  const session = useResource<Session>("session");
  const place = usePlace();
  const [isHelping, setHelping] = useState(false);
  const [zone, setZone] = useState(zoneName);
  useKeys({
    "?": () => setHelping(true),
    "/": (event) => {
      event.preventDefault();
      focusSearch();
    },
  });
  return h(
    "div",
    { class: "app" },
    h("a", { class: "skip", href: "#content" }, "To the content"),
    h(TopBar, {
      place,
      session: session.data,
      onHelp: () => setHelping(true),
      zone,
      onZone: () => {
        toggleZone();
        setZone(zoneName);
      },
    }),
    h(Content, { place, session }),
    isHelping ? h(Help, { onClose: () => setHelping(false) }) : null,
  );
}

function Content({
  place,
  session,
}: {
  readonly place: Place;
  readonly session: ReturnType<typeof useResource<Session>>;
}): VNode {
  const ref = useRef<HTMLElement>(null);
  const screen = SCREENS[place.path] ?? SCREENS["lost"];
  useEffect(() => {
    const name = SECTIONS.find(({ path }) => path === place.path)?.label ?? place.query.get("id") ?? "";
    document.title = `${name} · ${TITLE}`;
  }, [place]);
  const { data, error, readAtMs } = session;
  return h(
    "main",
    { id: "content", ref, tabIndex: -1 },
    data === undefined
      ? null
      : data.readOnly
        ? h("p", { class: "ribbon" }, "Read-only: nothing can be changed here.")
        : null,
    h(Trouble, { error, readAtMs }),
    data === undefined || screen === undefined
      ? error === undefined
        ? h(Loading, { what: "the dashboard" })
        : null
      : h(
          SessionContext.Provider,
          { value: data },
          h(screen, { query: place.query, key: `${place.path} ${place.query.get("id") ?? ""}` }),
        ),
  );
}

function TopBar(props: {
  readonly place: Place;
  readonly session: Session | undefined;
  readonly onHelp: () => void;
  /** Name of the zone of all times. */
  readonly zone: string;
  readonly onZone: () => void;
}): VNode {
  const isLive = useLive();
  const [theme, setTheme] = useState(currentTheme);
  const { path } = props.place;
  const current = path === "instance" ? "instances" : path;
  const { session } = props;
  const sections = SECTIONS.filter((one) => one.path !== "start" || (session?.verbs.length ?? 0) > 0);
  return h(
    "header",
    { class: "topbar" },
    h(Link, { to: href(""), class: "brand", label: `${TITLE}, overview` }, h(Mark, {}), h("span", {}, TITLE)),
    h(
      "nav",
      { "aria-label": "Sections" },
      ...sections.map((one) =>
        h(
          Link,
          { key: one.path, to: href(one.path), current: current === one.path },
          icon(one.icon),
          h("span", {}, one.label),
        ),
      ),
    ),
    h(SearchBox, {}),
    h(
      "div",
      { class: "tools" },
      h(
        "button",
        {
          type: "button",
          class: `button live ${isLive ? "on" : ""}`,
          "aria-pressed": isLive,
          onClick: toggleLive,
        },
        h("span", { class: "dot", "aria-hidden": "true" }),
        isLive ? "Live" : "Paused",
      ),
      h(
        "button",
        {
          type: "button",
          class: "button quiet zone",
          title: "Zone of all times: that of this browser, or UTC",
          onClick: props.onZone,
        },
        props.zone,
      ),
      h(Button, {
        kind: "quiet",
        icon: theme === "dark" ? "sun" : "moon",
        label: theme === "dark" ? "Light colours" : "Dark colours",
        onClick: () => setTheme(toggleTheme()),
      }),
      h(Button, { kind: "quiet", icon: "help", label: "Keys and help", onClick: props.onHelp }),
    ),
  );
}

/** Two bars of a timeline, the second behind the first. */
function Mark(): VNode {
  return h(
    "svg",
    { class: "mark", viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" },
    h("rect", { x: 1, y: 3, width: 10, height: 3.4, rx: 1.7 }),
    h("rect", { x: 5, y: 8.3, width: 13, height: 3.4, rx: 1.7 }),
    h("rect", { x: 9, y: 13.6, width: 7, height: 3.4, rx: 1.7 }),
  );
}

function SearchBox(): VNode {
  const find = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = document.querySelector<HTMLInputElement>("#search");
    const prefix = field?.value ?? "";
    go(href("instances", { prefix: prefix === "" ? undefined : prefix }));
    field?.blur();
  };
  return h(
    "form",
    { class: "search", role: "search", onSubmit: find },
    icon("search"),
    h("input", {
      id: "search",
      type: "search",
      placeholder: "Find by id",
      "aria-label": "Find instances by the beginning of their id",
    }),
    h("kbd", { "aria-hidden": "true" }, "/"),
  );
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>("#search")?.focus();
}
