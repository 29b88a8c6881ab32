/** The form in which staff record a notice of opting out of arbitration. */
import { clock } from "#shop/clock.ts";
import { dayField } from "#shop/day-field.ts";
import { emailField } from "#shop/email-field.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import { message, requiredLine } from "#shop/text.ts";
import { z } from "#shop/zod.ts";

export const optOutSchema = z.object({
  email: emailField().toLowerCase(),
  name: requiredLine("Name", 200, "Enter the name in the notice"),
  address: message("Address", 500, "Enter the address in the notice"),
  receivedOn: dayField("Enter the date it was received").refine(
    (day) => day <= newYorkDay(clock.now()),
    "This date is in the future",
  ),
});
export type OptOut = z.output<typeof optOutSchema>;
