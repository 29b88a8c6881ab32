/** Tracking numbers as they are pasted, each with the order it is for. */

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MAX_LINES = 50;

export type TrackingLine = {
  /** As it was typed. */
  text: string;
  number: string;
  tracking: string;
  /** Where it was chosen in the list, and not named. */
  orderId?: string;
};

/** Lines of "NUMBER TRACKING", or of tracking numbers alone, which belong to the `chosen` orders in their order. */
export function readTrackingLines(
  typed: string,
  chosen: string[],
): { ok: true; lines: TrackingLine[] } | { ok: false; problem: string } {
  const texts = typed
    .split("\n")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  if (texts.length === 0) return { ok: false, problem: "Paste tracking numbers, one on each line" };
  if (texts.length > MAX_LINES) return { ok: false, problem: `Paste at most ${MAX_LINES} lines at once` };
  const lines: TrackingLine[] = [];
  const left = [...chosen];
  for (const text of texts) {
    const [, number, tracking] = /^#?([0-9a-f]{8})[\s,;]+(\S.*)$/i.exec(text) ?? [];
    if (number && tracking) lines.push({ text, number: number.toLowerCase(), tracking });
    else {
      const orderId = left.shift();
      if (!orderId) {
        const problem = "Begin each line with the order's number, or tick as many orders as there are lines";
        return { ok: false, problem };
      }
      lines.push({ text, number: orderId.slice(0, 8), tracking: text, orderId });
    }
  }
  return { ok: true, lines };
}
