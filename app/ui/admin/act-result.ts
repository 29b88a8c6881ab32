/** What became of an act, and for which row of a list. */
export type ActResult = {
  /** The form's, as in its address. */
  act: string;
  /** Which of several forms with the same act. */
  key: string;
  ok: boolean;
  /** What happened, or why nothing did. */
  message: string;
  /** Beside their fields. */
  errors?: Partial<Record<string, string>>;
  /** What was typed, where the form is shown again. */
  typed?: Record<string, string>;
  /** Where many things were done at once: what became of each. */
  rows?: ActRow[];
};

export type ActRow = { key: string; label: string; href?: string; ok: boolean; message: string };
