/** Emails about privacy requests. */
import { and, eq, isNotNull } from "drizzle-orm";
import { brand } from "#shop/brand.ts";
import { linkTemplate } from "#shop/mail/email-layout.tsx";
import { dayText } from "#shop/policy-text.ts";
import { KIND_WORDS } from "./request.ts";
import { privacyRequests } from "./request.tables.ts";

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "request-extended": { requestId: string };
  }
}

type Extended = { to: string; kind: keyof typeof KIND_WORDS; dueAt: Date; reason: string };

export const privacyEmails = {
  "request-extended": linkTemplate({
    async load(db, { requestId }: { requestId: string }): Promise<Extended | null> {
      const { email, kind, dueAt, extensionReason } = privacyRequests;
      const [found] = await db
        .select({ to: email, kind, dueAt, reason: extensionReason })
        .from(privacyRequests)
        .where(and(eq(privacyRequests.id, requestId), isNotNull(email), isNotNull(extensionReason)));
      return found ? (found as Extended) : null;
    },
    words: ({ kind, dueAt, reason }: Extended, shop) => ({
      subject: "We need more time for your request",
      intro: `You asked ${brand.name} for: ${KIND_WORDS[kind].toLowerCase()}. We’ll answer by ${dayText(dueAt.toISOString().slice(0, 10))}, within the extra time the law allows. The reason: ${reason}`,
      button: "Your rights",
      link: `${shop.baseUrl}/privacy#rights`,
      close: "If you didn’t ask for anything, please reply to this email.",
    }),
    samples: {
      "for a copy": {
        to: "ada@example.com",
        kind: "data",
        dueAt: new Date("2026-03-03"),
        reason: "your orders go back ten years, and the oldest are in our archive.",
      },
    },
  }),
};
