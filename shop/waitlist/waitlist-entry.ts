/** A waitlist entry as it comes from a form, read on the server. */
import { z } from "zod";
import { emailField } from "../email-field.ts";
import { campaignWord } from "../campaign.ts";
import { PHONE_MAX, phoneCharacters } from "./waitlist-form.ts";

export const waitlistSchema = z
  .object({
    email: emailField().toLowerCase(),
    phone: z
      .string()
      .catch("")
      .transform((phone) => phoneCharacters(phone).trim())
      .pipe(z.string().max(PHONE_MAX, `Phone must be at most ${PHONE_MAX} characters`))
      .transform((phone) => phone || null),
    utm_source: campaignWord,
    utm_campaign: campaignWord,
  })
  .transform(({ email, phone, utm_source, utm_campaign }) => ({
    email,
    phone,
    utmSource: utm_source,
    utmCampaign: utm_campaign,
  }));

export type WaitlistEntry = z.output<typeof waitlistSchema>;
