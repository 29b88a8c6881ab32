/** Rules by which the shop says that something is wrong with itself, and the same state as gauges. */

/** Subjects of a process's checks, from its configuration. */
export type Watched = {
  /** A folder of the disk that must not run full. */
  folder: string;
  /** The shop has visitors from outside, so it needs backups. */
  isPublic: boolean;
  /** Payment providers whose webhook is set up. */
  webhooks: string[];
};

export type HealthState = {
  failedEmails: number;
  /** Wait of the job that is due for longest, or that is retried for longest; 0 if none waits. */
  oldestJobSeconds: number;
  /** Chores that have failed each time within an hour. */
  failingChores: number;
  /** Captures, charges, refunds and voids without an answer of the provider for a quarter of an hour. */
  waitingActions: number;
  /** Captures refused within a day. */
  refusedCaptures: number;
  /** Orders of the last hour that have not got a payment page in five minutes; 0 if any has. */
  ordersWithoutPage: number;
  /** Events of a day by provider: by webhook, and found by asking because their webhook did not come. */
  events: Record<string, { received: number; missed: number }>;
  webhooks: string[];
  freeDiskBytes: number;
  /** Null before the first backup. */
  backupSeconds: number | null;
  isPublic: boolean;
};

const HOUR = 3_600;
const GIGABYTE = 1024 ** 3;

const MAX_JOB_SECONDS = HOUR;
/** Single refusals are an order's own problem, which staff see with it. */
const MANY_REFUSED = 3;
const MIN_DISK_BYTES = 2 * GIGABYTE;
/** A daily backup may begin later than the one before. */
const MAX_BACKUP_SECONDS = 26 * HOUR;

type Rule = { title: string; text: string; isBad(state: HealthState): boolean };

export const ALERTS = {
  emails: {
    title: "Emails have failed",
    text: "They were tried for two days. Send them again once the cause is fixed.",
    isBad: ({ failedEmails }) => failedEmails > 0,
  },
  jobs: {
    title: "Jobs are waiting",
    text: "Emails or chores have waited for more than an hour. The worker may have stopped, or the mail server may refuse everything.",
    isBad: ({ oldestJobSeconds }) => oldestJobSeconds > MAX_JOB_SECONDS,
  },
  chores: {
    title: "Chores are failing",
    text: "Recurring work, such as reading the inbox, tracking parcels or recording sales tax, has failed each time for an hour, in whole or in part. The log says why, and Go live tries the keys.",
    isBad: ({ failingChores }) => failingChores > 0,
  },
  pages: {
    title: "Nobody can pay",
    text: "The payment provider has opened no page for any order of the last hour. Look at its status page, and try the keys under Go live.",
    isBad: ({ ordersWithoutPage }) => ordersWithoutPage > 0,
  },
  captures: {
    title: "Captures or refunds are failing",
    text: "The payment provider has not answered a capture, refund or void for 15 minutes, or has refused three captures within a day. Look at its status page and at the payment problems.",
    isBad: ({ waitingActions, refusedCaptures }) => waitingActions > 0 || refusedCaptures >= MANY_REFUSED,
  },
  webhooks: {
    title: "Webhooks are silent",
    text: "Buyers pay, but no webhook of the payment provider has arrived for a day. The shop finds their payments by asking, a minute later. Check the webhook’s address and secret in the provider’s dashboard.",
    isBad: ({ events, webhooks }) =>
      webhooks.some((name) => (events[name]?.missed ?? 0) > 0 && events[name]?.received === 0),
  },
  disk: {
    title: "The disk is almost full",
    text: "Less than 2 GB are left. A full disk stops orders: make room, or move to a larger one.",
    isBad: ({ freeDiskBytes }) => freeDiskBytes < MIN_DISK_BYTES,
  },
  backup: {
    title: "The backup is old",
    text: "No backup has been made for more than a day. Orders since then would be lost with the disk.",
    isBad: ({ backupSeconds, isPublic }) => (backupSeconds === null ? isPublic : backupSeconds > MAX_BACKUP_SECONDS),
  },
} as const satisfies Record<string, Rule>;

export type AlertName = keyof typeof ALERTS;

export const alertsOf = (state: HealthState): AlertName[] =>
  (Object.keys(ALERTS) as AlertName[]).filter((name) => (ALERTS[name] as Rule).isBad(state));

/** The state in the text format of Prometheus. */
export function gauges(state: HealthState): string {
  const alerts = alertsOf(state);
  const events = Object.entries(state.events);
  const values: Record<string, [labels: string, value: number][]> = {
    failed_emails: [["", state.failedEmails]],
    oldest_job_seconds: [["", state.oldestJobSeconds]],
    failing_chores: [["", state.failingChores]],
    waiting_payment_actions: [["", state.waitingActions]],
    refused_captures: [["", state.refusedCaptures]],
    orders_without_page: [["", state.ordersWithoutPage]],
    webhook_events: events.map(([name, { received }]) => [`{provider="${name}"}`, received]),
    missed_events: events.map(([name, { missed }]) => [`{provider="${name}"}`, missed]),
    free_disk_bytes: [["", state.freeDiskBytes]],
    backup_age_seconds: state.backupSeconds === null ? [] : [["", state.backupSeconds]],
    alert: Object.keys(ALERTS).map((name) => [`{name="${name}"}`, alerts.includes(name as AlertName) ? 1 : 0]),
  };
  return Object.entries(values)
    .filter(([, samples]) => samples.length > 0)
    .map(([name, samples]) => {
      const lines = samples.map(([labels, value]) => `polara_${name}${labels} ${value}\n`);
      return `# TYPE polara_${name} gauge\n${lines.join("")}`;
    })
    .join("");
}
