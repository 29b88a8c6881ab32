/** What a picture must be to be taken, and what it may show. */
export const MAX_PICTURES = 6;
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024;
/** Narrower ones would be enlarged where the shop shows them large. */
export const MIN_PICTURE_WIDTH = 1_200;

/** What a picture shows, as its name ends; the words are for whoever does not see it. */
export const SHOTS = [
  { name: "", label: "Nothing special" },
  { name: "hero", label: "Closed, at an angle from above" },
  { name: "front", label: "Closed, from the front" },
  { name: "open", label: "Open, with produce inside" },
  { name: "lid", label: "The lid from above" },
  { name: "back", label: "The back with its port" },
] as const;
