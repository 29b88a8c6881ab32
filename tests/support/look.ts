/** Asks a page from inside the browser. Each question answers with the elements that fall short, named. */
import type { BrowserContext } from "@playwright/test";
import { contrastRatio, type Color } from "./contrast.ts";
import { colorQuestions } from "./look-color.ts";
import { focusQuestions } from "./look-focus.ts";
import { spaceQuestions } from "./look-space.ts";
import { wordQuestions } from "./look-words.ts";

export type Eyes = ReturnType<typeof eyes>;

declare global {
  var look: Pick<Eyes, "settle"> &
    ReturnType<typeof colorQuestions> &
    ReturnType<typeof focusQuestions> &
    ReturnType<typeof spaceQuestions> &
    ReturnType<typeof wordQuestions>;
}

/** Every page of this browser can be asked from now on. What answers runs there, and so uses nothing from outside itself. */
export function giveEyes(context: BrowserContext): Promise<unknown> {
  const questions = [colorQuestions, focusQuestions, spaceQuestions, wordQuestions];
  return context.addInitScript(`{
    const see = (${eyes.toString()})(${contrastRatio.toString()});
    globalThis.look = Object.assign({ settle: see.settle }, ${questions.map((ask) => `(${ask.toString()})(see)`).join()});
  }`);
}

function eyes(ratio: typeof contrastRatio) {
  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab]";
  /** Counted in frames, not in time: on a busy machine they come late. */
  const MAX_ROUNDS = 60;
  const frames = async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  };
  /** Whether it holds once what still moves has come to rest: styles, what sticks, a bar that scrolling brings. */
  const comesToRest = async (holds: () => boolean) => {
    for (let round = 0; round < MAX_ROUNDS && !holds(); round++) await frames();
    return holds();
  };
  const root = () => document.querySelector("dialog:modal") ?? document.body;
  const styleOf = (element: Element, pseudo?: string) => getComputedStyle(element, pseudo);
  const name = (element: Element) => {
    const words =
      element.getAttribute("aria-label") ?? (element.textContent.trim() || element.getAttribute("name") || "");
    return `<${element.localName}> '${words.replace(/\s+/g, " ").slice(0, 60)}' .${element.getAttribute("class")?.slice(0, 60) ?? ""}`;
  };
  /** On the screen for those who see: neither hidden nor cut down to one pixel for screen readers. */
  const isSeen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true }) && (width > 1 || height > 1);
  };
  const controls = () =>
    [...root().querySelectorAll<HTMLElement>(CONTROLS)].filter(
      (control) => (isSeen(control) || labelsOf(control).some(isSeen)) && !control.closest("[inert]"),
    );
  const labelsOf = (element: Element): Element[] => [...((element as HTMLInputElement).labels ?? [])];
  const textNodes = function* () {
    const walker = document.createTreeWalker(root(), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (parent && node.textContent?.trim() && isSeen(parent)) yield { node, parent };
    }
  };
  const rectsOf = (node: Node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
  };

  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map<string, Color>();
  /** Any CSS color as red, green, blue and how much of it there is. */
  const rgba = (color: string): Color => {
    const before = known.get(color);
    if (before || !paint) return before ?? [0, 0, 0, 0];
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = color;
    paint.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = paint.getImageData(0, 0, 1, 1).data;
    known.set(color, [r, g, b, a / 255]);
    return [r, g, b, a / 255];
  };
  /** The color that an element stands on, where it is one color. */
  const ground = (element: Element | null): Color => {
    for (let under = element; under; under = under.parentElement) {
      const color = rgba(styleOf(under).backgroundColor);
      if (color[3] === 1) return color;
    }
    return [255, 255, 255, 1];
  };
  const outline = (style: CSSStyleDeclaration) =>
    style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) > 0 ? style : undefined;

  const reaches = (x: number, y: number, goals: Element[]) => {
    const hit = document.elementFromPoint(x, y);
    return goals.some((goal) => goal.contains(hit));
  };
  /** What hides the start, the middle or the end of a line of an element's words, and cannot be seen through. */
  const whatIsBefore = (element: Element, { left, right, top, bottom }: DOMRect) => {
    for (const x of [left + 2, (left + right) / 2, right - 2]) {
      for (const hit of document.elementsFromPoint(x, (top + bottom) / 2)) {
        if (element.contains(hit) || hit.contains(element)) break;
        if (hit.localName === "img" || rgba(styleOf(hit).backgroundColor)[3] > 0) return hit;
      }
    }
    return undefined;
  };

  return {
    /** The page has this width, and what follows a change of size or colors has followed. */
    async settle(width = innerWidth) {
      do await frames();
      while (innerWidth !== width);
    },
    comesToRest,
    frames,
    root,
    styleOf,
    name,
    isSeen,
    controls,
    labelsOf,
    textNodes,
    rectsOf,
    rgba,
    ratio,
    ground,
    outline,
    reaches,
    whatIsBefore,
  };
}
