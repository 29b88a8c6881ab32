/** Counts of steps are added up in memory by whoever serves, and written together: a day's sum, never a visit. */
import { sql } from "drizzle-orm";
import type { Database } from "../../db/connection.server.ts";
import type { Campaign } from "../campaign.ts";
import { CAMPAIGNS_A_DAY, OTHER_CAMPAIGNS, type CountedStep } from "./steps.ts";

type Counted = { day: string; step: CountedStep; source: string; campaign: string; count: number };

const ZONE = "America/New_York";
/** Which day it is costs a thousand times as much as counting, and is asked again after so long. */
const DAY_KEPT_MS = 1_000;

/** Adds up steps until they are taken. */
export class StepCounts {
  #counts = new Map<string, Counted>();
  /** The campaigns of the day that are told apart: anybody can make up more. */
  #campaigns = new Set<string>();
  #day = "";
  #askedAt = -DAY_KEPT_MS;

  add(step: CountedStep, { utmSource, utmCampaign }: Campaign, now = Date.now()): void {
    const day = this.#dayOf(now);
    let [source, campaign] = [utmSource ?? "", utmCampaign ?? ""];
    if (source !== "" || campaign !== "") {
      const pair = JSON.stringify([source, campaign]);
      if (this.#campaigns.size < CAMPAIGNS_A_DAY) this.#campaigns.add(pair);
      if (!this.#campaigns.has(pair)) [source, campaign] = [OTHER_CAMPAIGNS, ""];
    }
    const key = `${day}\n${step}\n${source}\n${campaign}`;
    const known = this.#counts.get(key);
    if (known) known.count++;
    else this.#counts.set(key, { day, step, source, campaign, count: 1 });
  }

  #dayOf(now: number): string {
    if (Math.abs(now - this.#askedAt) < DAY_KEPT_MS) return this.#day;
    const day = new Date(now).toLocaleDateString("en-CA", { timeZone: ZONE });
    if (day !== this.#day) this.#campaigns.clear();
    this.#askedAt = now;
    return (this.#day = day);
  }

  /** All that was added, which begins anew. */
  take(): Counted[] {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    return counts;
  }

  /** What could not be written is added again. */
  giveBack(counts: Counted[]): void {
    for (const each of counts) {
      const key = `${each.day}\n${each.step}\n${each.source}\n${each.campaign}`;
      const known = this.#counts.get(key);
      if (known) known.count += each.count;
      else this.#counts.set(key, each);
    }
  }
}

/** Adds what was counted to the days. Where that fails nothing is lost but time. */
export async function writeCounts(db: Database, counts: StepCounts): Promise<void> {
  const taken = counts.take();
  if (taken.length === 0) return;
  const column = <Key extends keyof Counted>(key: Key) => sql.param(taken.map((each) => each[key]));
  try {
    // In one order, so that two processes never wait for each other in a circle.
    await db.execute(sql`
      INSERT INTO daily_counts (day, step, utm_source, utm_campaign, count)
      SELECT * FROM unnest(${column("day")}::date[], ${column("step")}::text[], ${column("source")}::text[],
        ${column("campaign")}::text[], ${column("count")}::bigint[]) AS counted (day, step, source, campaign, count)
      ORDER BY day, step, source, campaign
      ON CONFLICT (day, step, utm_source, utm_campaign) DO UPDATE SET count = daily_counts.count + excluded.count`);
  } catch (error) {
    counts.giveBack(taken);
    throw error;
  }
}
