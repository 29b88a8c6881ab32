/** Words that docs/recipes.md, "The voice", replaces, and no text of the store or email has. Legal texts are formal. */
export const ACCENT = /\bbeside\b|\b(?:some|any|every)body\b|\bgo(?:es)? on\b|\bby itself\b|\bany more\b|\bfrom \$\d/i;
