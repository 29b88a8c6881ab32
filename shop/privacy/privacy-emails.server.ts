/** Emails about privacy requests. */
import { eq } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { brand } from "#shop/brand.ts";
import { emailTemplate, type Email, type EmailShop } from "#shop/mail/email.ts";
import { linkEmail, linkTemplate } from "#shop/mail/email-layout.tsx";
import { newYorkDay } from "#shop/new-york-time.ts";
import { dayText } from "#shop/policy-text.ts";
import { KIND_WORDS } from "./request.ts";
import { notices } from "./notice.tables.ts";
import { privacyRequests } from "./request.tables.ts";

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "arbitration-opt-out": { requestId: string };
    "request-extended": { requestId: string };
    "request-answered": { requestId: string };
    notice: { noticeId: string; email: string };
  }
}

type Asked = { to: string; kind: keyof typeof KIND_WORDS };
type Extended = Asked & { dueAt: Date; reason: string };
type Answered = Asked & { state: string; answer: string };

const asked = (kind: Asked["kind"]) => `You asked ${brand.name} for: ${KIND_WORDS[kind].toLowerCase()}.`;
const closing = (shop: { baseUrl: string }) => ({
  button: "Your rights",
  link: `${shop.baseUrl}/privacy#rights`,
  close: "If you didn’t ask for anything, please reply to this email.",
});

type SentNotice = Pick<typeof notices.$inferSelect, "subject" | "body"> & { to: string };

export const noticeEmail = ({ to, subject, body }: SentNotice, shop: EmailShop): Email =>
  linkEmail(
    to,
    {
      subject,
      intro: body,
      button: "Ask us",
      link: `${shop.baseUrl}/support`,
      close: `You get this email because it concerns you as a customer of ${brand.name}. It isn’t an ad.`,
    },
    shop,
  );

async function readRequest(db: Database, requestId: string) {
  const [found] = await db.select().from(privacyRequests).where(eq(privacyRequests.id, requestId));
  return found?.email ? { ...found, to: found.email } : null;
}

export const privacyEmails = {
  "arbitration-opt-out": linkTemplate({
    load: (db, { requestId }: { requestId: string }) => readRequest(db, requestId),
    words: ({ receivedAt }: { to: string; receivedAt: Date }, shop) => ({
      subject: "You opted out of arbitration",
      intro: `We received your notice on ${dayText(newYorkDay(receivedAt))}. Disputes between you and ${brand.name} are not arbitrated. Nothing else changes, and it costs you nothing.`,
      button: "The terms",
      link: `${shop.baseUrl}/terms#arbitration`,
      close: "Keep this email. If you didn’t opt out, please reply to it.",
    }),
    samples: { "of a notice": { to: "ada@example.com", receivedAt: new Date("2026-03-03T12:00:00Z") } },
  }),

  "request-extended": linkTemplate({
    async load(db, { requestId }: { requestId: string }): Promise<Extended | null> {
      const found = await readRequest(db, requestId);
      return found?.extensionReason ? { ...found, reason: found.extensionReason } : null;
    },
    words: ({ kind, dueAt, reason }: Extended, shop) => ({
      subject: "We need more time for your request",
      intro: `${asked(kind)} We’ll answer by ${dayText(newYorkDay(dueAt))}, within the extra time the law allows. The reason: ${reason}`,
      ...closing(shop),
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

  notice: emailTemplate({
    // The address is removed from the job after delivery.
    async load(db, { noticeId, email: to }: { noticeId: string; email?: string }) {
      const [notice] = await db.select().from(notices).where(eq(notices.id, noticeId));
      return notice && to ? { to, subject: notice.subject, body: notice.body } : null;
    },
    render: noticeEmail,
    samples: {
      "of changed policies": {
        to: "ada@example.com",
        subject: "Our privacy policy changes on March 3",
        body: "Starting March 3, 2026, our privacy policy names another carrier.\n\nThe new text is at http://localhost:3000/privacy.",
      },
    },
  }),

  "request-answered": linkTemplate({
    async load(db, { requestId }: { requestId: string }): Promise<Answered | null> {
      const found = await readRequest(db, requestId);
      return found?.answer ? { ...found, answer: found.answer } : null;
    },
    words: ({ kind, state, answer }: Answered, shop) => ({
      subject: state === "done" ? "We’ve done what you asked" : "We can’t do what you asked",
      intro: `${asked(kind)} Our answer: ${answer}`,
      ...closing(shop),
    }),
    samples: {
      done: { to: "ada@example.com", kind: "correction", state: "done", answer: "We corrected your name." },
      refused: {
        to: "ada@example.com",
        kind: "objection",
        state: "refused",
        answer: "We have to keep the invoice for our taxes.",
      },
    },
  }),
};
