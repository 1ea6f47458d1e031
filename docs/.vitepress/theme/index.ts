/** VitePress's own theme, with pictures and the cost calculator. */
import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { CostCalculator } from "./calculator.ts";
import { Mermaid } from "./mermaid.ts";
import "./style.css";

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component("Mermaid", Mermaid);
    app.component("CostCalculator", CostCalculator);
  },
};

export default theme;
