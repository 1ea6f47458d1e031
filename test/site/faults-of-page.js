/**
 * Faults of a page, as sentences: names, headings, labels, language, width, contrast of its text. It runs in the page,
 * and needs no library.
 */
(() => {
  const faults = [];
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const shown = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
  const nameOf = (element) =>
    (
      element.getAttribute("aria-label") ??
      element.getAttribute("title") ??
      element.textContent ??
      ""
    ).trim() ||
    [...element.querySelectorAll("img[alt],svg[aria-label],[aria-label]")]
      .map((inner) => inner.getAttribute("alt") ?? inner.getAttribute("aria-label") ?? "")
      .join("");
  if ((document.documentElement.lang || "") === "") faults.push("the page has no language");
  if (document.title === "") faults.push("the page has no title");
  if (document.querySelectorAll("h1").length !== 1) faults.push("there is not one h1");
  let level = 1;
  for (const heading of shown(".vp-doc :is(h1,h2,h3,h4)")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) faults.push(`h${next} follows h${level}: ${heading.textContent}`);
    level = next;
  }
  for (const image of shown("img")) if (!image.hasAttribute("alt")) faults.push("an image has no text");
  for (const control of shown("a[href],button"))
    if (nameOf(control) === "") faults.push(`no name: ${control.outerHTML.slice(0, 100)}`);
  for (const input of shown("input,select,textarea")) {
    const { labels } = input;
    if ((labels?.length ?? 0) === 0 && !input.hasAttribute("aria-label"))
      faults.push(`no label: ${input.outerHTML.slice(0, 100)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of new Set(ids.filter((each, index) => ids.indexOf(each) !== index)))
    faults.push(`the id ${id} occurs twice`);
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) faults.push(`the page is ${wide} px wider than the screen`);

  const rgb = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
  const light = ([r = 0, g = 0, b = 0]) => {
    const [x = 0, y = 0, z = 0] = [r, g, b].map((value) =>
      value <= 10.3 ? value / 3295 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if ((colour[3] ?? 1) === 1 && colour.length >= 3) return colour;
    }
    return [255, 255, 255];
  };
  for (const text of shown(".vp-doc :is(p,li,td,th,h1,h2,h3),.calculator :is(label,legend)")) {
    const colour = rgb(getComputedStyle(text).color);
    const [one, two] = [light(colour), light(behind(text))].sort((a, b) => b - a);
    const contrast = ((one ?? 0) + 0.05) / ((two ?? 0) + 0.05);
    if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(1)}: ${text.textContent?.slice(0, 40)}`);
  }
  return faults;
})();
