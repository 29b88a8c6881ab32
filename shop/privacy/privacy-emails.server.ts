/** The emails about what somebody asked about their data. */
import { and, eq, isNotNull } from "drizzle-orm";
import { brand } from "../brand.ts";
import { emailTemplate } from "../mail/email.ts";
import { linkEmail } from "../mail/link-email.tsx";
import { dayText } from "../policy-text.ts";
import { KIND_WORDS, type RequestKind } from "./request.ts";
import { privacyRequests } from "./request.tables.ts";

declare module "../mail/email.ts" {
  interface EmailJobs {
    "request-extended": { requestId: string };
    /** Carries the address, because nothing else remembers it. */
    "data-deleted": { email: string };
  }
}

type Extended = { to: string; kind: RequestKind; dueAt: Date; reason: string };

export const privacyEmails = {
  "request-extended": emailTemplate({
    async load(db, { requestId }: { requestId: string }): Promise<Extended | null> {
      const { email, kind, dueAt, extensionReason } = privacyRequests;
      const [found] = await db
        .select({ to: email, kind, dueAt, reason: extensionReason })
        .from(privacyRequests)
        .where(and(eq(privacyRequests.id, requestId), isNotNull(email), isNotNull(extensionReason)));
      return found ? (found as Extended) : null;
    },
    render: ({ to, kind, dueAt, reason }: Extended, shop) => {
      const day = dayText(dueAt.toISOString().slice(0, 10));
      return linkEmail(
        to,
        {
          subject: "We need more time for your request",
          intro: `You asked ${brand.name} for: ${KIND_WORDS[kind].toLowerCase()}. We answer by ${day}, within the further time that the law allows. Why: ${reason}`,
          button: "Your rights",
          link: `${shop.baseUrl}/privacy#rights`,
          close: "If you did not ask for anything, please reply to this mail.",
        },
        shop,
      );
    },
    samples: {
      "for a copy": {
        to: "ada@example.com",
        kind: "data",
        dueAt: new Date("2026-03-03"),
        reason: "your orders go back ten years, and the oldest are in our archive.",
      },
    },
  }),

  "data-deleted": emailTemplate({
    // It was delivered, and its address taken away, before the queue heard of it.
    load: async (_db, { email }: { email?: string }) => (email ? { to: email } : null),
    render: ({ to }: { to: string }, shop) =>
      linkEmail(
        to,
        {
          subject: "Your data is deleted",
          intro: `As you asked, what ${brand.name} held about you is deleted. Orders that had not shipped are canceled, and nothing was charged for them.`,
          button: "Visit the shop",
          link: `${shop.baseUrl}/shop`,
          close:
            "We keep a record of past orders without your name, address, phone number, and email, as tax rules require. If it was not you who asked, please reply to this mail.",
        },
        shop,
      ),
    samples: { "of a guest": { to: "ada@example.com" } },
  }),
};
