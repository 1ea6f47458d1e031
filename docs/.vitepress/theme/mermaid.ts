/** Draws a picture in the colours of the page, and again when these change. The program for it is part of the site. */
import { useData, withBase } from "vitepress";
import { defineComponent, h, onMounted, ref, watch } from "vue";

interface Drawing {
  initialize(options: object): void;
  render(id: string, code: string): Promise<{ readonly svg: string }>;
}

const FONT = "Inter, ui-sans-serif, system-ui, sans-serif";
/** Pixels. A narrower screen scrolls. */
const SMALLEST_WIDTH = 560;

let loading: Promise<Drawing> | undefined;
let pictures = 0;

function load(): Promise<Drawing> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = withBase("/mermaid.js");
    script.onload = () => resolve((globalThis as unknown as { readonly mermaid: Drawing }).mermaid);
    script.onerror = () => reject(new Error(`${script.src} cannot be loaded`));
    document.head.append(script);
  });
  return loading;
}

export const Mermaid = defineComponent({
  props: { code: { type: String, required: true } },
  setup(props) {
    const { isDark } = useData();
    const picture = ref("");
    const draw = async (): Promise<void> => {
      const mermaid = await load();
      const theme = isDark.value ? "dark" : "neutral";
      mermaid.initialize({ startOnLoad: false, securityLevel: "strict", theme, fontFamily: FONT });
      const { svg } = await mermaid.render(`picture-${pictures++}`, decodeURIComponent(props.code));
      picture.value = svg.replace(
        /max-width: ([\d.]+px)/,
        `max-width: $1; min-width: min($1, ${SMALLEST_WIDTH}px)`,
      );
    };
    onMounted(draw);
    watch(isDark, draw);
    return () => h("div", { class: "picture", innerHTML: picture.value });
  },
});
