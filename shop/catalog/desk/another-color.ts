/** The choice of a color that is typed beside it. No color is called so. */
export const ANOTHER_COLOR = "another";
