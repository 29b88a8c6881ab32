/** Event counters, collected in memory and written in batches. */
import { sql } from "drizzle-orm";
import type { Database } from "#db/connection.server.ts";
import type { Campaign } from "#shop/campaign.ts";
import { clock } from "#shop/clock.ts";
import { newYorkDay } from "#shop/new-york-time.ts";
import type { CountedEvent } from "./events.ts";

type Counted = { day: string; event: CountedEvent; source: string; campaign: string; count: number };

/** Campaign limit of a day: visitors can invent campaigns. */
const CAMPAIGNS_A_DAY = 30;
const OTHER_CAMPAIGNS = "(other)";

export class EventCounts {
  #counts = new Map<string, Counted>();
  #campaigns = new Set<string>();
  #day = "";

  add(event: CountedEvent, { utmSource, utmCampaign }: Campaign, now = clock.now()): void {
    const day = newYorkDay(now);
    if (day !== this.#day) this.#campaigns.clear();
    this.#day = day;
    let [source, campaign] = [utmSource ?? "", utmCampaign ?? ""];
    if (source || campaign) {
      const pair = JSON.stringify([source, campaign]);
      if (this.#campaigns.size < CAMPAIGNS_A_DAY) this.#campaigns.add(pair);
      if (!this.#campaigns.has(pair)) [source, campaign] = [OTHER_CAMPAIGNS, ""];
    }
    this.#add({ day, event, source, campaign, count: 1 });
  }

  #add(counted: Counted): void {
    const key = JSON.stringify({ ...counted, count: 0 });
    const known = this.#counts.get(key);
    if (known) known.count += counted.count;
    else this.#counts.set(key, counted);
  }

  /** Writes the counts to the database. Failed counts are retried with the next batch. */
  async write(db: Database): Promise<void> {
    const counts = [...this.#counts.values()];
    if (counts.length === 0) return;
    this.#counts.clear();
    const column = <Key extends keyof Counted>(key: Key) => sql.param(counts.map((each) => each[key]));
    try {
      // Sorted, so that two processes do not deadlock.
      await db.execute(sql`
        INSERT INTO daily_counts (day, event, utm_source, utm_campaign, count)
        SELECT * FROM unnest(${column("day")}::date[], ${column("event")}::text[], ${column("source")}::text[],
          ${column("campaign")}::text[], ${column("count")}::bigint[]) AS counted (day, event, source, campaign, count)
        ORDER BY day, event, source, campaign
        ON CONFLICT (day, event, utm_source, utm_campaign) DO UPDATE SET count = daily_counts.count + excluded.count`);
    } catch (error) {
      for (const counted of counts) this.#add(counted);
      throw error;
    }
  }
}
