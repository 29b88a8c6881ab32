/** Every email is counted: queueing one takes a permit, and only counting makes permits. */
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Database } from "#db/connection.server.ts";
import { enqueueEmail, enqueueEmailCall } from "#shop/mail/enqueue-email.server.ts";
import type { EmailJob } from "#shop/mail/email.ts";

it("a job without a permit does not compile", () => {
  const job: EmailJob = { template: "verify-email", userId: "" };
  const database = {} as Database;
  const forgetful = [
    // @ts-expect-error -- without a permit
    () => enqueueEmail(database, job),
    // @ts-expect-error -- without a permit
    () => enqueueEmailCall(job),
    // @ts-expect-error -- with something else in its place
    () => enqueueEmailCall(job, {}),
  ];
  expect(forgetful).toHaveLength(3);
});

it("no trigger queues emails, because it has no permit", () => {
  for (const file of globSync("db/migrations/*.sql")) {
    const text = readFileSync(file, "utf8").replaceAll(/--.*$|CREATE (?:OR REPLACE )?FUNCTION enqueue_email\(/gm, "");
    expect(text, file).not.toMatch(/enqueue_email\s*\(/);
  }
});
