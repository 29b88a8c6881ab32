const MAX_LINES = 50;

export type TrackingLine = {
  number: string;
  tracking: string;
  /** Selected in the list rather than named on the line. */
  orderId?: string;
};

/** Parses lines of "NUMBER TRACKING", or of tracking numbers for the `chosen` orders in turn. */
export function readTrackingLines(
  typed: string,
  chosen: string[],
): { ok: true; lines: TrackingLine[] } | { ok: false; problem: string } {
  const texts = typed
    .split("\n")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  if (texts.length === 0) return { ok: false, problem: "Paste tracking numbers, one per line" };
  if (texts.length > MAX_LINES) return { ok: false, problem: `Paste at most ${MAX_LINES} lines at once` };
  const lines: TrackingLine[] = [];
  const left = [...chosen];
  for (const text of texts) {
    const [, number, tracking] = /^#?([0-9a-f]{8})[\s,;]+(\S.*)$/i.exec(text) ?? [];
    if (number && tracking) lines.push({ number: number.toLowerCase(), tracking });
    else {
      const orderId = left.shift();
      if (!orderId) {
        const problem = "Start each line with an order number, or select one order per line";
        return { ok: false, problem };
      }
      lines.push({ number: orderId.slice(0, 8), tracking: text, orderId });
    }
  }
  return { ok: true, lines };
}
