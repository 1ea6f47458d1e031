/** The page begins here. */
import { render } from "preact";
import { App } from "./app.ts";
import { applyTheme } from "./browser/theme.ts";
import { h } from "./element.ts";

applyTheme();
render(h(App, {}), document.body);
