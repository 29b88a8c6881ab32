/** Whether what is filled in and pressed can be told from its surroundings. */
import type { Eyes } from "./look.ts";

export function colorQuestions({
  styleOf,
  name,
  isSeen,
  controls,
  rgba,
  ratio,
  ground,
  outline,
  labelsOf,
  root,
}: Eyes) {
  /** A border that can be told from its ground. */
  const hasLine = (element: Element) => {
    const style = styleOf(element);
    return (["Top", "Right", "Bottom", "Left"] as const).some(
      (side) =>
        Number.parseFloat(style[`border${side}Width`]) > 0 &&
        ratio(rgba(style[`border${side}Color`]), ground(element.parentElement)) >= 3,
    );
  };
  /** How an element, its label and what it holds are drawn, as far as forced colors leave it. */
  const drawing = (element: Element) =>
    [element, ...labelsOf(element), ...element.querySelectorAll("*")]
      .map((one) => {
        const { borderTopColor, borderBottomColor, borderTopWidth, borderBottomWidth, outlineColor, outlineWidth } =
          styleOf(one);
        const { textDecorationLine, color, fontWeight } = styleOf(one);
        const border = [borderTopWidth, borderTopColor, borderBottomWidth, borderBottomColor];
        const outlined = outline(styleOf(one)) && [outlineWidth, outlineColor];
        return [border, outlined, textDecorationLine, color, fontWeight].join();
      })
      .join(";");

  return {
    /** What is filled in, whose border or placeholder hardly shows. */
    faintFields() {
      return controls().flatMap((control) => {
        if (!control.matches("input, select, textarea")) return [];
        const { borderTopWidth, borderTopColor, appearance } = styleOf(control);
        const isDrawnBySystem = appearance === "auto" && control.matches("[type=checkbox], [type=radio]");
        const border =
          isDrawnBySystem || Number.parseFloat(borderTopWidth) === 0
            ? 21
            : ratio(rgba(borderTopColor), ground(control.parentElement));
        const placeholder = control.matches("[placeholder]")
          ? ratio(rgba(styleOf(control, "::placeholder").color), ground(control))
          : 21;
        return [
          border < 3 ? `${name(control)} has a border of ${border.toFixed(2)}:1` : "",
          placeholder < 4.5 ? `${name(control)} has a placeholder of ${placeholder.toFixed(2)}:1` : "",
        ].filter(Boolean);
      });
    },

    /** In forced colors: controls that look like any other text, and what is chosen but looks like its neighbors. */
    alike() {
      const plain = rgba(styleOf(document.body).color).join();
      const isMarked = (control: Element) =>
        hasLine(control) ||
        (control.parentElement !== null && hasLine(control.parentElement)) ||
        styleOf(control).textDecorationLine.includes("underline") ||
        control.querySelector("svg, img") !== null ||
        !/^(none|normal)$/.test(styleOf(control, "::after").content) ||
        (control.localName === "a" && rgba(styleOf(control).color).join() !== plain);
      const unmarked = controls()
        .filter((control) => !control.matches("[type=checkbox], [type=radio], [type=range]") && !isMarked(control))
        .map((control) => `${name(control)} looks like any other text`);
      const chosen = [...root().querySelectorAll("[aria-selected=true], [aria-current], :checked")].filter(isSeen);
      const lost = chosen.flatMap((one) => {
        if (one.matches("option") || (one.matches("input") && styleOf(one).appearance === "auto")) return [];
        const peers = [
          ...(one.closest("ul, ol, nav, fieldset, [role=tablist]")?.querySelectorAll(one.localName) ?? []),
        ];
        const others = peers.filter(
          (peer) => !chosen.includes(peer) && !peer.contains(one) && !one.contains(peer) && !peer.ariaHidden,
        );
        return others.some((peer) => drawing(peer) === drawing(one))
          ? `${name(one)} is chosen, which cannot be seen`
          : [];
      });
      return [...unmarked, ...lost];
    },
  };
}
