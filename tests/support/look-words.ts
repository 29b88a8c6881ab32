/** The words that are to be measured against what is behind them. */
import type { Color } from "./contrast.ts";
import type { Eyes } from "./look.ts";

export type Text = {
  where: string;
  rects: { x: number; y: number; width: number; height: number }[];
  color: Color;
  /** The contrast it needs. */
  least: number;
};

export function wordQuestions({ frames, styleOf, name, isSeen, rectsOf, rgba, whatIsBefore }: Eyes) {
  let unmeasured: (Omit<Text, "rects"> & { element: Element })[] = [];
  const withoutWords = new CSSStyleSheet();
  withoutWords.replaceSync(
    "* { -webkit-text-fill-color: transparent !important; text-decoration-color: transparent !important }" +
      "text { fill: transparent !important }",
  );
  const wordsOf = (element: Element) =>
    [...element.childNodes].flatMap((node) =>
      node.nodeType === Node.TEXT_NODE && node.textContent?.trim() ? rectsOf(node) : [],
    );
  const isOnScreen = (element: Element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  };
  const isInFront = (element: Element) => (rect: DOMRect) =>
    rect.left >= 0 &&
    rect.top >= 0 &&
    rect.right <= innerWidth &&
    rect.bottom <= innerHeight &&
    !whatIsBefore(element, rect);
  const lookOf = (element: Element): Pick<Text, "color" | "least"> => {
    const { color, fill, fontSize, fontWeight } = styleOf(element);
    const [r, g, b, a] = rgba(element instanceof SVGElement ? fill : color);
    let opacity = a;
    for (let up: Element | null = element; up; up = up.parentElement) opacity *= Number(styleOf(up).opacity);
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    return { color: [r, g, b, opacity], least: isLarge ? 3 : 4.5 };
  };

  return {
    /** Hides the words of these elements, and says how many there are to measure. */
    hideWords(selectors: string[]) {
      unmeasured = selectors.flatMap((selector) =>
        [...document.querySelectorAll(selector)]
          .filter((element) => isSeen(element) && wordsOf(element).length > 0)
          .map((element) => ({ where: name(element), element, ...lookOf(element) })),
      );
      document.adoptedStyleSheets = [withoutWords];
      return unmeasured.length;
    },
    showWords: () => void (document.adoptedStyleSheets = []),

    /** Scrolls to the next texts that were not measured yet, and takes all that are on the screen then. */
    async nextTexts() {
      unmeasured[0]?.element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      await Promise.all([...document.images].filter(isOnScreen).map((image) => image.decode().catch(() => {})));
      await frames();
      const [now, later] = [[] as typeof unmeasured, [] as typeof unmeasured];
      unmeasured.forEach((one, i) =>
        (i === 0 || wordsOf(one.element).every(isInFront(one.element)) ? now : later).push(one),
      );
      unmeasured = later;
      const texts = now.map(({ element, ...text }): Text => ({
        ...text,
        rects: wordsOf(element).map(({ x, y, width, height }) => ({ x, y, width, height })),
      }));
      return { texts, left: later.length };
    },
  };
}
