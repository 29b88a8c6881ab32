import { z } from "#shop/zod.ts";
import { campaignWord } from "#shop/campaign.ts";
import { emailField } from "#shop/email-field.ts";

/** Fields of the waitlist form: one set of rules for popup and server, without a library. */

export const PHONE_MAX = 30;

/** Phone characters: digits, plus, minus, parentheses and space. */
export const phoneCharacters = (typed: string): string => typed.replace(/[^\d+\-() ]/g, "");

/** Start of the popup's countdown: 4 h 21 min 18 s. */
export const COUNTDOWN_SECONDS = (4 * 60 + 21) * 60 + 18;

/** Server-side schema of the waitlist form. */

const optionalWord = z
  .string()
  .optional()
  .transform((word = "") => word)
  .pipe(campaignWord);

export const waitlistSchema = z
  .object({
    email: emailField().toLowerCase(),
    phone: z
      .string()
      .optional()
      .transform((phone = "") => phoneCharacters(phone).trim())
      .refine((phone) => phone.length <= PHONE_MAX, `Phone must be at most ${PHONE_MAX} characters`)
      .transform((phone) => phone || null),
    utm_source: optionalWord,
    utm_campaign: optionalWord,
  })
  .transform(({ email, phone, utm_source, utm_campaign }) => ({
    email,
    phone,
    utmSource: utm_source,
    utmCampaign: utm_campaign,
  }));

export type WaitlistEntry = z.output<typeof waitlistSchema>;
