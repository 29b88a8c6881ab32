/** Which products the limited warranty covers, and for how long. */
import { warrantyPolicy } from "../policies.ts";
import type { Product } from "./product.ts";

/**
 * The years of warranty from a product's purchase, by the warranty policy: bowls have its whole length, wear parts
 * a shorter one; null for what it does not cover. The catalog marks a wear part by a warranty among its specs.
 */
export function warrantyYears({ category, specs }: Pick<Product, "category" | "specs">): number | null {
  if (category !== "Accessories") return warrantyPolicy.warrantyYears;
  return Object.hasOwn(specs, "warranty_years") ? warrantyPolicy.partsWarrantyYears : null;
}
