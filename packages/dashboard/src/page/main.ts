/** The page begins here. */
import { render } from "preact";
import { App } from "./app.ts";
import { applyZone } from "./browser/kept-zone.ts";
import { applyTheme } from "./browser/theme.ts";
import { h } from "./element.ts";

applyTheme();
applyZone();
render(h(App, {}), document.body);
document.querySelector(".begins")?.remove();
