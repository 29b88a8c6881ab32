/** Whether everything has its place on the screen: nothing beside it, cut off, covered, or too small to hit. */
import type { Eyes } from "./look.ts";

export function spaceQuestions({
  comesToRest,
  styleOf,
  name,
  isSeen,
  controls,
  textNodes,
  rectsOf,
  reaches,
  whatIsBefore,
  labelsOf,
  root,
}: Eyes) {
  // A point between two pixels belongs to either, so the last one of the 22 on each side is let be.
  const REACH = { left: [-21, 0], right: [21, 0], above: [0, -21], below: [0, 21] };
  /** Where less than 22 px from the middle belong to a control, once it is scrolled to. */
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
    /** Sideways scrolling, with what reaches out of the screen. */
    sideways() {
      const dialog = document.querySelector("dialog:modal:not(.cursor-zoom-out)");
      const wide = Math.max(
        (document.scrollingElement?.scrollWidth ?? 0) - innerWidth,
        dialog ? dialog.scrollWidth - dialog.clientWidth : 0,
      );
      if (wide <= 0) return [];
      const edge = dialog?.getBoundingClientRect().right ?? innerWidth;
      const out = [...root().querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > edge + 0.5);
      return [`${wide} px too wide: ${out.slice(0, 3).map(name).join(", ")}`];
    },

    /** Text that an ancestor cuts off, where no ellipsis says so. */
    cutOff() {
      const faults = new Set<string>();
      for (const { node, parent } of textNodes()) {
        const rects = rectsOf(node);
        for (let up: Element | null = parent; up && up !== document.body; up = up.parentElement) {
          const { overflowX, overflowY, textOverflow, webkitLineClamp } = styleOf(up);
          if (/auto|scroll/.test(overflowX + overflowY) || !isSeen(up)) break;
          if (textOverflow === "ellipsis" || webkitLineClamp !== "none") break;
          const box = up.getBoundingClientRect();
          const across = overflowX !== "visible" && rects.some((r) => r.left < box.left - 1 || r.right > box.right + 1);
          // Lines set tightly reach out of their box with nothing but air.
          const down =
            overflowY !== "visible" &&
            rects.some((r) => r.top < box.top - r.height / 4 || r.bottom > box.bottom + r.height / 4);
          if (across || down) faults.add(`${name(parent)} is cut off by ${name(up)}`);
        }
      }
      return [...faults];
    },

    /** Text that something stands before. What sticks to an edge is let be: the page scrolls under it. */
    covered() {
      const faults = new Set<string>();
      const sticks = (element: Element | null): boolean =>
        element !== null && (/fixed|sticky/.test(styleOf(element).position) || sticks(element.parentElement));
      const texts = [...textNodes()];
      const scroller = document.querySelector("dialog:modal") ?? document.scrollingElement;
      for (let top = 0; scroller && top < scroller.scrollHeight; top += innerHeight / 2) {
        scroller.scrollTo({ top, behavior: "instant" });
        for (const { node, parent } of texts) {
          for (const rect of rectsOf(node)) {
            if (rect.bottom < 0 || rect.top > innerHeight) continue;
            const before = whatIsBefore(parent, rect);
            if (before && !sticks(before)) faults.add(`${name(parent)} is covered by ${name(before)}`);
          }
        }
      }
      return [...faults];
    },

    /** What a thumb could miss: less than 44 px around the middle belongs to it. Links in running text are let be. */
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
  };
}
