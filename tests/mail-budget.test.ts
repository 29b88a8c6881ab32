/** No path queues an email without counting it: the types ask for a permit, and only counting gives one. */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Database } from "../db/connection.server.ts";
import { emailJobJson, enqueueEmail, enqueueEmailCall } from "../shop/mail/enqueue-email.server.ts";
import type { EmailJob } from "../shop/mail/email.ts";

const sources = globSync("{app,shop,server,db}/**/*.{ts,tsx}")
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));
const filesWith = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

it.each([
  [
    "writes jobs",
    /INSERT\s+INTO\s+pgboss|enqueue_email\(\$|\b(?:boss|pgBoss)\.(?:send|insert|publish)\w*\(/i,
    ["shop/mail/enqueue-email.server.ts"],
  ],
  ["makes permits", /as (?:unknown as )?MailPermit/, ["shop/mail/mail-budget.server.ts"]],
  [
    "hands mail to a transport",
    /sendMail\(|into?\(mailboxMessages|insert\(mailboxMessages/,
    ["shop/mail/transport.server.ts"],
  ],
  [
    "counts emails by limits of its own",
    /consumptionWithMail\b/,
    ["shop/checkout/limited-order.server.ts", "shop/mail/mail-budget.server.ts"],
  ],
  [
    "mails because of a step of an order",
    /ORDER_STEP_PERMIT/,
    [
      "shop/fulfillment/steps.server.ts",
      "shop/mail/mail-budget.server.ts",
      "shop/payments/settle/apply-snapshot.server.ts",
      "shop/payments/settle/tell-staff.server.ts",
    ],
  ],
  [
    "leaves a job's value open",
    /enqueueEmailCall\(v\(|enqueueEmailCall\(sql\.placeholder/,
    ["shop/checkout/place-order.server.ts"],
  ],
])("one place %s", (_what, pattern, files) => {
  expect(filesWith(pattern).toSorted()).toEqual(files);
});

it("a job without a permit does not compile", () => {
  const job: EmailJob = { template: "verify-email", userId: "" };
  const database = {} as Database;
  const forgetful = [
    // @ts-expect-error -- without a permit
    () => enqueueEmail(database, job),
    // @ts-expect-error -- without a permit
    () => enqueueEmailCall(job),
    // @ts-expect-error -- without a permit
    () => emailJobJson(job),
    // @ts-expect-error -- with something else in its place
    () => emailJobJson(job, {}),
  ];
  expect(forgetful).toHaveLength(4);
});

it("no trigger mails, because a trigger has no permit: one that comes names here who counts its mail before", () => {
  const COUNTED: Record<string, string> = {};
  for (const file of globSync("db/migrations/*.sql")) {
    const calls = readFileSync(file, "utf8")
      .replaceAll(/--.*$/gm, "")
      .replaceAll(/CREATE (?:OR REPLACE )?FUNCTION enqueue_email\(/g, "");
    if (/enqueue_email\s*\(/.test(calls)) expect(readFileSync(COUNTED[file] ?? file, "utf8")).toContain("consumeMail(");
  }
});
