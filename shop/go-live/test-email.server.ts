/** The email by which staff try the mail server. */
import { brand } from "#shop/brand.ts";
import { linkTemplate } from "#shop/mail/email-layout.tsx";

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "test-email": { email: string };
  }
}

export const testEmails = {
  "test-email": linkTemplate({
    load: async (_db, { email }: { email: string }) => ({ to: email }),
    words: ({ to }, { baseUrl }) => ({
      subject: "Your shop’s email works",
      intro: `${brand.name} sent this to ${to}, because someone asked for a test in the back office.`,
      button: "Back to Go live",
      link: `${baseUrl}/admin/go-live`,
      close: "If it was in spam, ask your mail provider for SPF, DKIM and DMARC records of the sender’s domain.",
    }),
    samples: { "to a member of the staff": { to: "ada@example.com" } },
  }),
};
