/** Questions to a page from inside the browser. Each answers with the elements that fall short, named. */
import { expect, type BrowserContext, type Page } from "@playwright/test";

declare global {
  var look: ReturnType<typeof questions>;
}

/** Every page of this browser can be asked from now on. */
export const giveEyes = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`globalThis.look = (${questions.toString()})();`);

type Color = readonly [red: number, green: number, blue: number, alpha: number];

/** The function runs in the browser, and so uses nothing from outside itself. */
function questions() {
  const CONTROLS = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab]";
  /** Counted in frames, not in time: on a busy machine they come late. */
  const MAX_ROUNDS = 60;
  const frames = async () => {
    // By the document's own timeline: a test may have taken over the clock.
    await document.documentElement.animate([], 40).finished;
    // An animation on a scroll timeline never finishes.
    const timed = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
    await Promise.allSettled(timed.map(({ finished }) => finished));
  };
  /** Polls until styles, sticky bars and scrolling are at rest. */
  const comesToRest = async (holds: () => boolean) => {
    for (let round = 0; round < MAX_ROUNDS && !holds(); round++) await frames();
    return holds();
  };
  const root = () => document.querySelector("dialog:modal") ?? document.body;
  const styleOf = (element: Element, pseudo?: string) => getComputedStyle(element, pseudo);
  const labelsOf = (element: Element): Element[] => [...((element as HTMLInputElement).labels ?? [])];
  const name = (element: Element) => {
    const words =
      element.getAttribute("aria-label") ?? (element.textContent.trim() || element.getAttribute("name") || "");
    return `<${element.localName}> '${words.replace(/\s+/g, " ").slice(0, 60)}' .${element.getAttribute("class")?.slice(0, 60) ?? ""}`;
  };
  /** Neither hidden nor cut down to one pixel for screen readers. */
  const isSeen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true }) && (width > 1 || height > 1);
  };
  const controls = () =>
    [...root().querySelectorAll<HTMLElement>(CONTROLS)].filter(
      (control) => (isSeen(control) || labelsOf(control).some(isSeen)) && !control.closest("[inert]"),
    );
  const reaches = (x: number, y: number, goals: Element[]) => {
    const hit = document.elementFromPoint(x, y);
    return goals.some((goal) => goal.contains(hit));
  };

  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color: string): Color => {
    if (!paint) return [0, 0, 0, 0];
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = color;
    paint.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0, a = 0] = paint.getImageData(0, 0, 1, 1).data;
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
  /** The contrast of WCAG 2. */
  const ratio = (one: Color, other: Color) => {
    const linear = (channel: number) => (channel <= 10 ? channel / 3294.6 : ((channel / 255 + 0.055) / 1.055) ** 2.4);
    const luminance = ([r, g, b]: Color) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    const [a, b] = [luminance(one), luminance(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const outline = (style: CSSStyleDeclaration) =>
    style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) > 0 ? style : undefined;

  /** The focus shows by an outline of the element, of its label, or of what stands around it. */
  const focusFault = (focused: Element) => {
    // A slider's thumb shows it, which no style tells.
    if (focused.matches("[type=range]")) return "";
    let element: Element | null = focused;
    for (let up = 0; element && element !== document.body && up < 5; up++, element = element.parentElement) {
      for (const shows of [element, ...(up === 0 ? labelsOf(focused) : [])]) {
        const drawn = outline(styleOf(shows)) ?? outline(styleOf(shows, "::after"));
        if (!drawn) continue;
        const isOutside = Number.parseFloat(drawn.outlineOffset) >= 0;
        const found = ratio(rgba(drawn.outlineColor), ground(isOutside ? shows.parentElement : shows));
        return found < 3 ? `its outline has ${found.toFixed(2)}:1` : "";
      }
    }
    return "does not show its focus";
  };
  const isCovered = (focused: Element) => {
    const goals = [focused, ...labelsOf(focused)];
    const points = goals.flatMap((goal) =>
      [...goal.getClientRects()].flatMap(({ left, right, top, bottom }) => [
        [(left + right) / 2, (top + bottom) / 2] as const,
        ...[left + 4, right - 4].flatMap((x) => [[x, top + 4] as const, [x, bottom - 4] as const]),
      ]),
    );
    return !focused.matches("[type=range]") && !points.some(([x, y]) => reaches(x, y, goals));
  };
  const focusFaults = (focused: Element) =>
    [focusFault(focused), isCovered(focused) ? "is hidden while it has the focus" : ""].filter(Boolean);

  /** Fields that were typed into before hydration, with their values. */
  const typed = new Map<HTMLInputElement, string | boolean>();
  const stateOf = (field: HTMLInputElement) => (field.type === "checkbox" ? field.checked : field.value);
  const EARLY: Record<string, string> = {
    date: "2026-12-24",
    number: "3",
    email: "early@example.com",
    tel: "2125550100",
  };

  const walked = { faults: [] as string[], isRound: false };
  /** Part of the page that is walked; null for all of it. */
  let within: HTMLElement | null = null;
  let first: Element | null = null;
  let seen: Element | null = null;
  /** The element that has come to rest since it got the focus. */
  let rested: Element | null = null;
  const onTab = (event: KeyboardEvent) => {
    const focused = document.activeElement;
    if (event.key !== "Tab" || !focused || focused === document.body || focused === within) return;
    if (within && !within.contains(focused)) walked.isRound = true;
    if (focused !== seen) {
      if (focused === first) walked.isRound = true;
      first ??= focused;
      seen = focused;
      rested = null;
    }
    if (walked.isRound || focused.localName === "iframe") return;
    const faults = focusFaults(focused);
    if (faults.length === 0) return;
    if (rested === focused) return void walked.faults.push(...faults.map((fault) => `${name(focused)} ${fault}`));
    // The focus stays until the page rests.
    event.preventDefault();
    void comesToRest(() => focusFaults(focused).length === 0).then(() => (rested = focused));
  };

  // A point between two pixels belongs to either, so the last one of the 22 on each side is let be.
  const REACH = { left: [-21, 0], right: [21, 0], above: [0, -21], below: [0, 21] };
  /** The sides on which less than 22 px from the middle belong to a control, once it is scrolled to. */
  const sidesMissed = (control: Element) => {
    const goals = [control, ...labelsOf(control)].filter(isSeen);
    control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const boxes = goals.map((goal) => goal.getBoundingClientRect());
    if (boxes.every(({ bottom }) => bottom <= 0)) return []; // the skip link, before it has the focus
    const x = (Math.min(...boxes.map((box) => box.left)) + Math.max(...boxes.map((box) => box.right))) / 2;
    const y = (Math.min(...boxes.map((box) => box.top)) + Math.max(...boxes.map((box) => box.bottom))) / 2;
    return Object.entries(REACH)
      .filter(([, [dx = 0, dy = 0]]) => !reaches(x + dx, y + dy, goals))
      .map(([side]) => side);
  };

  return {
    /** The page has this width, and what follows a change of size has followed. */
    async settle(width = innerWidth) {
      do await frames();
      while (innerWidth !== width);
    },

    /** Sideways scrolling, with what reaches out of the screen. */
    sideways() {
      const dialog = document.querySelector("dialog:modal:not(.cursor-zoom-out)");
      const beyond = dialog ? dialog.scrollWidth - dialog.clientWidth : 0;
      const wide = Math.max((document.scrollingElement?.scrollWidth ?? 0) - innerWidth, beyond);
      if (wide <= 0) return [];
      const edge = dialog?.getBoundingClientRect().right ?? innerWidth;
      const out = [...root().querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > edge + 0.5);
      return [`${wide} px too wide: ${out.slice(0, 3).map(name).join(", ")}`];
    },

    /** Text that an ancestor cuts off, where no ellipsis says so. */
    cutOff() {
      const faults = new Set<string>();
      const walker = document.createTreeWalker(root(), NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (!parent || !node.textContent?.trim() || !isSeen(parent)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
        for (let up: Element | null = parent; up && up !== document.body; up = up.parentElement) {
          const { overflowX, overflowY, textOverflow, webkitLineClamp } = styleOf(up);
          if (/auto|scroll/.test(overflowX + overflowY) || !isSeen(up)) break;
          if (textOverflow === "ellipsis" || webkitLineClamp !== "none") break;
          const { left, right, top, bottom } = up.getBoundingClientRect();
          const across = overflowX !== "visible" && rects.some((r) => r.left < left - 1 || r.right > right + 1);
          // Lines set tightly reach out of their box with nothing but air.
          const isOut = (r: DOMRect) => r.top < top - r.height / 4 || r.bottom > bottom + r.height / 4;
          if (across || (overflowY !== "visible" && rects.some(isOut)))
            faults.add(`${name(parent)} is cut off by ${name(up)}`);
        }
      }
      return [...faults];
    },

    /** Fields whose border or placeholder hardly shows. */
    faintFields: () =>
      controls().flatMap((control) => {
        if (!control.matches("input, select, textarea")) return [];
        const { borderTopWidth, borderTopColor, appearance } = styleOf(control);
        const isDrawnBySystem = appearance === "auto" && control.matches("[type=checkbox], [type=radio]");
        const hasBorder = !isDrawnBySystem && Number.parseFloat(borderTopWidth) > 0;
        const border = hasBorder ? ratio(rgba(borderTopColor), ground(control.parentElement)) : 21;
        const placeholder = control.matches("[placeholder]")
          ? ratio(rgba(styleOf(control, "::placeholder").color), ground(control))
          : 21;
        return [
          border < 3 ? `${name(control)} has a border of ${border.toFixed(2)}:1` : "",
          placeholder < 4.5 ? `${name(control)} has a placeholder of ${placeholder.toFixed(2)}:1` : "",
        ].filter(Boolean);
      }),

    /** Controls with less than 44 px around the middle, which a thumb could miss. Links in running text are let be. */
    async smallTargets() {
      const faults: string[] = [];
      for (const control of controls()) {
        const isInText =
          control.localName === "a" &&
          styleOf(control).display === "inline" &&
          control.parentElement?.textContent.trim() !== control.textContent.trim();
        if (isInText || control.matches("[type=range]")) continue;
        if (await comesToRest(() => sidesMissed(control).length === 0)) continue;
        const { width, height } = control.getBoundingClientRect();
        const missed = sidesMissed(control).join(", ");
        faults.push(`${name(control)} is ${Math.round(width)}×${Math.round(height)}, too small ${missed}`);
      }
      return faults;
    },

    /** Fills in what can be seen, as somebody does before the scripts have loaded. */
    typeEarly() {
      const fields = "input:not([type=hidden], [type=file], [type=radio], [type=range]), textarea";
      for (const field of document.querySelectorAll<HTMLInputElement>(fields)) {
        if (!field.form || field.disabled || field.readOnly || !isSeen(field)) continue;
        if (field.type === "checkbox") field.checked = !field.checked;
        else field.value = EARLY[field.type] ?? "early";
        typed.set(field, stateOf(field));
      }
    },
    lostSinceTyped: () =>
      [...typed].flatMap(([field, was]) =>
        field.isConnected && stateOf(field) === was ? [] : [`${name(field)} is not as it was typed before hydration`],
      ),

    /** A bar that may come up from the lower edge. */
    hasBarAtFoot: () =>
      [...document.querySelectorAll(".fixed.bottom-0")].some((bar) => styleOf(bar).display !== "none"),

    /** From now on every Tab checks what it leaves; `walked` says what was seen, and whether it is back at its start. */
    watchFocus(isWhole: boolean) {
      Object.assign(walked, { faults: [], isRound: false });
      first = seen = rested = null;
      (document.activeElement as HTMLElement | null)?.blur();
      scrollTo(0, 0);
      // Rows that a question has turned would show half of a card.
      for (const row of document.querySelectorAll("*")) if (row.scrollLeft > 0) row.scrollLeft = 0;
      within = isWhole ? null : document.querySelector("main");
      within?.focus({ preventScroll: true });
      addEventListener("keydown", onTab, true);
    },
    walked: () => walked,
  };
}

/** Measures layout shifts from the next document on. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    };
    const at = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(" ");
    const kept: Shifts = [];
    (globalThis as unknown as { shifts: Shifts }).shifts = kept;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources, startTime } of list.getEntries() as Shift[]) {
        if (hadRecentInput) continue;
        const moved = sources.map(
          ({ node, previousRect, currentRect }) =>
            `${node?.nodeName} '${node?.textContent?.slice(0, 40)}' ${at(previousRect)} -> ${at(currentRect)}`,
        );
        kept.push({ value, moved: [`${Math.round(startTime)} ms`, ...moved] });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

type Shifts = { value: number; moved: string[] }[];

/** Nothing has moved by itself since `watchShifts`, except by a part of a pixel. The message names what did. */
export async function expectNoShift(page: Page): Promise<void> {
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: Shifts }).shifts);
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  expect(sum, `layout shift: ${shifts.flatMap(({ moved }) => moved).join("; ")}`).toBeLessThan(0.001);
}
