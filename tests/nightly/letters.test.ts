/**
 * A letter while its shop is killed: nobody has it twice, and emails of orders go first. LETTERS sets its readers, 300 by
 * default, and CUTS the kills, 3 by default.
 */
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { enqueueEmail } from "#shop/mail/enqueue-email.server.ts";
import { useFreshDatabase } from "../support/fresh-database.ts";
import { anyPermit } from "../support/mail-permit.ts";
import { startMailServer, WITHOUT_TLS } from "../support/mail-server.ts";
import { startShop } from "../support/shop.ts";
import { AUTH_SECRET } from "../support/use-shop.ts";

const LETTERS = Number(process.env.LETTERS ?? 300);
const CUTS = Number(process.env.CUTS ?? 3);
/** Emails that leave at once, which a kill cuts off. */
const BATCH = 30;
const EVERY_MS = 5_000;
const HOURS = 3_600_000;
const database = useFreshDatabase(4);

it(
  `${LETTERS} people have a letter at most once over ${CUTS} kills`,
  async () => {
    const arrived = new Map<string, Date[]>();
    const smtp = await startMailServer({
      ...WITHOUT_TLS,
      onRcptTo({ address }, _session, done) {
        arrived.set(address, [...(arrived.get(address) ?? []), new Date()]);
        setTimeout(done, 50);
      },
    });
    await database.pool.query(
      `INSERT INTO consents (email, kind, words, page) SELECT 'reader-' || n || '@example.com', 'news', 'News', '/account'
       FROM generate_series(1, $1::int) AS n`,
      [LETTERS],
    );
    await database.pool.query(
      "INSERT INTO letters (subject, markdown, audience, pace, state, send_at) VALUES ('Cold', 'It stays cold.', 'news', 20000, 'scheduled', now())",
    );
    const env = { DATABASE_URL: database.url, AUTH_SECRET, SMTP_URL: smtp.url };
    let shop = await startShop(env);
    const letters = () => [...arrived.keys()].filter((address) => address.startsWith("reader-")).length;
    const waiting = async () =>
      (
        await database.pool.query<{ n: number }>(
          `SELECT (SELECT count(*) FROM letter_recipients WHERE queued_at IS NULL)
             + (SELECT count(*) FROM pgboss.job WHERE name = 'mail' AND state IN ('created', 'retry', 'active'))
             + (SELECT count(*) FROM letters WHERE state = 'scheduled') AS n`,
        )
      ).rows[0]!.n;
    const queued = new Map<string, Date>();
    let cuts = 0;
    let lastCut = 0;
    let nextOrder = 0;
    while (Number(await waiting()) > 0) {
      if (Date.now() >= nextOrder) {
        const email = `buyer-${queued.size}@example.com`;
        queued.set(email, new Date());
        await enqueueEmail(database.db, { template: "account-deleted", email }, anyPermit);
        nextOrder = Date.now() + EVERY_MS;
      }
      await pause(200);
      if (cuts < CUTS && letters() > lastCut) {
        await shop.kill();
        lastCut = letters();
        cuts++;
        shop = await startShop(env);
      }
    }
    await shop.stop();
    const waits = [...queued]
      .map(([email, at]) => Number(arrived.get(email)?.[0]) - Number(at))
      .toSorted((a, b) => a - b);
    console.log(
      `${letters()} letters; emails waited ${waits[waits.length >> 1]} ms in the median, ${waits.at(-1)} at most`,
    );
    const twice = [...arrived].filter(([address, times]) => address.startsWith("reader-") && times.length > 1);
    expect(twice.map(([address]) => address)).toEqual([]);
    expect(cuts).toBe(CUTS);
    expect(letters()).toBeGreaterThanOrEqual(LETTERS - BATCH * CUTS);
  },
  2 * HOURS,
);
