import { z } from "#shop/zod.ts";
import { emailField } from "#shop/email-field.ts";

/** The form of a product that is sold out, or not open to everyone yet. */
export const backInStockSchema = z.object({ email: emailField().toLowerCase() });
