/**
 * Runs once the screen shows that something is pressed. What a press begins may take longer than an answer should: all of a
 * page is styled anew when a dialog opens over it or closes.
 */
export const afterPaint = (run: () => void) => requestAnimationFrame(() => setTimeout(run));

/** Resolves then. */
export const painted = () => new Promise<void>(afterPaint);
