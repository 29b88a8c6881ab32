/** The mark and letters, shared by the header and art/brand.ts. */
export const mark = {
  width: 39,
  height: 32,
  /** The lid and the bowl. */
  path:
    "M1 9.3V7.9c0-1.2.7-2 1.9-2.5C6.9 3.8 12.7 3 19.5 3s12.6.8 16.6 2.4c1.2.5 1.9 1.3 1.9 2.5v1.4a1 1 0 0 1-1 1H2a1 1 0 0 1-1-1Z" +
    "M2 12.5h35a1 1 0 0 1 1 1C38 22.4 32.8 29 24.6 29H14.4C6.2 29 1 22.4 1 13.5a1 1 0 0 1 1-1Zm12.9 4.9a2.6 2.6 0 0 0 0 5.2h9.2a2.6 2.6 0 0 0 0-5.2Z",
};

export const wordmark = {
  width: 138.6,
  height: 32,
  stroke: 3.1,
  /** The letters in one stroke weight: every curve is part of one circle. */
  letters:
    "M50.5 29V5.6h7.1a6.45 6.45 0 0 1 0 12.9h-7.1" +
    "M67.9 21a6.7 6.7 0 1 0 13.4 0a6.7 6.7 0 1 0-13.4 0" +
    "M87.7 4v25" +
    "M92.8 21a6.7 6.7 0 1 0 13.4 0a6.7 6.7 0 1 0-13.4 0M106.2 12.8V29" +
    "M113 29V12.8M113 20.9c0-4.2 2.3-6.6 6.5-6.6" +
    "M122.6 21a6.7 6.7 0 1 0 13.4 0a6.7 6.7 0 1 0-13.4 0M136 12.8V29",
};
