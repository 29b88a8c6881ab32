/** The job that sends letters at their pace. A crash in between sends nothing twice: row and email are one transaction. */
import { sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import { enqueueEmail, LETTER_PERMIT } from "#shop/mail/enqueue-email.server.ts";
import { type Addressed, audienceOf } from "./audience.server.ts";

const RUNS_AN_HOUR = 60;

/** Notes the recipients of the next letter that is due. False if none is. */
const begin = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string } & Addressed>(sql`
      UPDATE letters SET state = 'sending' WHERE id = (
        SELECT id FROM letters WHERE state = 'scheduled' AND send_at <= now() ORDER BY send_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, audience, product_id AS "productId"`);
    const [letter] = rows;
    if (!letter) return false;
    await tx.execute(sql`
      INSERT INTO letter_recipients (letter_id, email, created_at)
      SELECT ${letter.id}::uuid, email, now() FROM (${audienceOf(letter)}) AS people ON CONFLICT DO NOTHING`);
    return true;
  });

/** Queues the next emails of a letter, or ends it. Stopping it waits for this, or comes first. Returns their number. */
const sendSome = (db: Database, letterId: string): Promise<number> =>
  db.transaction(async (tx) => {
    const { rows: letters } = await tx.execute<{ room: number; waiting: boolean }>(sql`
      SELECT least(ceil(pace::numeric / ${RUNS_AN_HOUR}), pace - (SELECT count(*) FROM letter_recipients
          WHERE letter_id = letters.id AND queued_at > now() - interval '1 hour'))::int AS room,
        EXISTS (SELECT FROM letter_recipients WHERE letter_id = letters.id AND queued_at IS NULL) AS waiting
      FROM letters WHERE id = ${letterId}::uuid AND state = 'sending' FOR UPDATE`);
    const [letter] = letters;
    if (!letter) return 0;
    if (!letter.waiting) {
      await tx.execute(sql`UPDATE letters SET state = 'sent', ended_at = now() WHERE id = ${letterId}::uuid`);
      return 0;
    }
    const { rows } = await tx.execute<{ id: string }>(sql`
      UPDATE letter_recipients SET queued_at = now() WHERE id = ANY(ARRAY(
        SELECT id FROM letter_recipients WHERE letter_id = ${letterId}::uuid AND queued_at IS NULL
        LIMIT ${Math.max(0, letter.room)}))
      RETURNING id`);
    for (const { id: recipientId } of rows) await enqueueEmail(tx, { template: "letter", recipientId }, LETTER_PERMIT);
    return rows.length;
  });

/** Begins the letters that are due, and queues what the pace of each allows in a minute. Returns the number of emails. */
export async function sendLetters(db: Database): Promise<number> {
  while (await begin(db));
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT id FROM letters WHERE state = 'sending' ORDER BY send_at, id`,
  );
  let sent = 0;
  for (const { id } of rows) sent += await sendSome(db, id);
  return sent;
}
