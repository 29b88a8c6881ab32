/**
 * Materials and sizes of the products. Specs, descriptions, questions and the sections of a product page take them from
 * here, and texts of other folders agree with it.
 */
import { productPolicy } from "#shop/policies.ts";

/**
 * The body is one shell with a steel liner fixed in it; the lid is opaque, with a gasket and the filter under its cap.
 * There is no glass and no plastic bowl.
 */
export const materials = {
  body: "Recycled aluminum",
  liner: "Stainless steel",
  gasket: "Food-grade silicone",
  /** The beads are purple when new and brown when used up. */
  filter: "Zeolite beads with potassium permanganate",
  sleeve: "Recycled PET felt, cotton strap",
  basket: "Stainless steel wire",
} as const;

export const bowlMaterials = `${materials.body} body, ${materials.liner.toLowerCase()} liner, silicone gasket`;

/** Outer sizes with the lid closed. */
export const sizes = {
  Pro: { liters: 4.2, widthIn: 11.4, heightIn: 6.9, pounds: 4.6 },
  Classic: { liters: 3.1, widthIn: 10.2, heightIn: 6.1, pounds: 3.5 },
} as const;

/** A common 12 oz mug, for scale. */
export const mug = { widthIn: 3.2, heightIn: 3.5 } as const;

/** The carton of a bowl. The dock's cable is its own: it leads to the wall, and none leads to the bowl. */
export const inTheBox = [
  "The bowl and its lid",
  "One filter, in the lid",
  "USB-C cable",
  `Power adapter, ${productPolicy.power}`,
  "Quick start card",
] as const;
