import { eq } from "drizzle-orm";
import { users } from "#shop/accounts/account.tables.ts";
import { linkTemplate } from "#shop/mail/email-layout.tsx";
import { ALERTS, type AlertName } from "./health.ts";

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "health-alert": { userId: string; alert: AlertName; isOver: boolean };
  }
}

type Data = { to: string; alert: AlertName; isOver: boolean };

const to = "grace@example.com";

export const healthEmails = {
  "health-alert": linkTemplate({
    async load(db, { userId, alert, isOver }: { userId: string; alert: AlertName; isOver: boolean }) {
      const [owner] = await db.select({ to: users.email }).from(users).where(eq(users.id, userId));
      return owner ? { ...owner, alert, isOver } : null;
    },
    words({ alert, isOver }: Data, { baseUrl }) {
      const { title, text } = ALERTS[alert];
      return {
        subject: isOver ? `Over: ${title}` : title,
        intro: isOver ? "The shop has not found this problem for half an hour." : text,
        button: "Open Today",
        link: `${baseUrl}/admin`,
        close: isOver
          ? "You’ll get another email only if it starts again."
          : "The shop emails its owners once, and again when it is over.",
      };
    },
    samples: {
      ...Object.fromEntries(
        Object.keys(ALERTS).map((alert) => [alert, { to, alert: alert as AlertName, isOver: false }]),
      ),
      "that is over": { to, alert: "disk", isOver: true },
    },
  }),
};
