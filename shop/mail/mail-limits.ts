/** How many emails anybody can cause without buying: to one inbox, from one network, and in all. */
import type { RateLimit } from "../rate-limits/rate-limits.server.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const TO_INBOX = "email to inbox";

/** The inbox that an address is counted as: without its +tag and, for Gmail, without dots. */
export function inboxOf(email: string): string {
  const [, name = "", domain = ""] = /^(.*)@(.*)$/.exec(email.trim().toLowerCase()) ?? [];
  const base = name.split("+")[0] || name;
  const isGmail = domain === "gmail.com" || domain === "googlemail.com";
  return isGmail ? `${base.replaceAll(".", "")}@gmail.com` : `${base}@${domain}`;
}

/** What one email to `to` counts against, caused by somebody at `network`. */
export function mailLimits({ to, network }: { to: string; network: string }): RateLimit[] {
  const inbox = inboxOf(to);
  return [
    { name: "email from anybody", subject: "", points: 2_000, seconds: HOUR },
    { name: "email from network", subject: network, points: 60, seconds: HOUR },
    { name: "email from network a day", subject: network, points: 300, seconds: DAY },
    { name: TO_INBOX, subject: inbox, points: 5, seconds: 15 * MINUTE },
    { name: `${TO_INBOX} a day`, subject: inbox, points: 20, seconds: DAY },
  ];
}

/** Whether a limit is the recipient's, rather than the sender's network's or the shop's. */
export const isInboxLimit = ({ name }: RateLimit): boolean => name.startsWith(TO_INBOX);
