/** What stands at the head of each content file. A file that lacks something stops the build's first request. */
import { z } from "zod";
import { policyText } from "../policy-text.ts";

/** {policyText.returnDays} in a head says what it says in the body, where MDX itself fills it in. */
const withPolicyText = (text: string) =>
  text.replace(/\{policyText\.(\w+)\}/g, (_written, name: string) => {
    if (!Object.hasOwn(policyText, name)) throw new Error(`shop/policy-text.ts has no ${name}.`);
    return policyText[name as keyof typeof policyText];
  });

const text = z.string().overwrite(withPolicyText).trim().min(1);
const described = z.object({ title: text, description: text.max(200) });

export const POST_CATEGORIES = ["Tips", "Science", "Sustainability"] as const;

export const postSchema = described.extend({
  category: z.enum(POST_CATEGORIES),
  /** The day it was published, YYYY-MM-DD. */
  date: z.iso.date(),
  picture: text,
  pictureAlt: text,
  /** Slugs of products. */
  related: z.array(text).max(3),
});

/** The day its words last changed, YYYY-MM-DD: what a sitemap says of it. */
const page = described.extend({ heading: text, intro: text, updated: z.iso.date() });

export const plainTextSchema = described.extend({ intro: text, updated: z.iso.date() });
/** A legal text takes effect, and changes, with the policies: it has no day of its own. */
export const legalTextSchema = plainTextSchema.extend({ updated: z.undefined().optional() });

const percent = z.number().min(0).max(100);
const card = z.object({ figure: text, title: text, text });

export const howItWorksSchema = page.extend({
  steps: z.array(z.object({ title: text, text, picture: text, pictureAlt: text })).length(4),
  inside: z.object({
    heading: text,
    picture: text,
    pictureAlt: text,
    /** Where its number points, in percent of the picture, and from which side. */
    parts: z.array(z.object({ title: text, text, x: percent, y: percent, side: z.enum(["left", "right"]) })).min(1),
  }),
  closing: text,
});

export const scienceSchema = page.extend({ cards: z.array(card).length(3) });

export const aboutSchema = page.extend({
  stats: z.array(z.object({ figure: text, label: text })).length(3),
});

export const supportSchema = page;

export type PostFrontMatter = z.output<typeof postSchema>;
export type PlainFrontMatter = z.output<typeof plainTextSchema> | z.output<typeof legalTextSchema>;
