/** A year of a shop, told from a seed: the same for the same day and catalog. */
import { shopDay } from "../../shop/fulfillment/days.ts";
import { orderNumber } from "../../shop/orders/order.ts";
import type { ShippingMethod } from "../../shop/shipping/methods.ts";
import { chance, type Chance } from "./chance.ts";
import { CAMPAIGNS, MESSAGES } from "./messages.ts";
import { later, MINUTE, type Line, type Placed } from "./order-book.ts";
import { tellOrder, type Fate } from "./order-story.ts";
import { peopleMaker, type Person } from "./people.ts";
import { noRows, type KeyedRow, type OrderRows, type Row } from "./rows.ts";

const SEED = 14;
const ORDERS = 2_000;
const PEOPLE = 800;
const WAITING = 300;
const SENT_MESSAGES = 120;
const DAYS = 365;
const DAY = 24 * 60 * MINUTE;

/** What can be sold, in an order that does not change. */
export type DemoProduct = {
  id: string;
  name: string;
  category: string;
  price: number;
  earlyBirdPrice: number | null;
  earlyBirdFrom: Date | null;
};

export type Year = OrderRows & {
  people: Person[];
  users: KeyedRow[];
  waitlist: Row[];
  contact_messages: Row[];
  daily_counts: Row[];
};

/** Few at first, more by the month, fewest on weekends, most in the weeks before today. */
function momentsOf(random: Chance, count: number, now: Date): Date[] {
  const midnight = Math.floor(now.getTime() / DAY) * DAY;
  const moments: Date[] = [];
  while (moments.length < count) {
    const day = Math.floor(DAYS * (1 - Math.sqrt(random.next())));
    // From seven in the morning to two at night, in New York.
    const at = new Date(midnight - day * DAY + random.whole(11 * 60, 29 * 60) * MINUTE + random.whole(0, 59_999));
    const isWeekend = [0, 6].includes(at.getUTCDay());
    if (at.getTime() < now.getTime() - 45 * MINUTE && !(isWeekend && random.is(0.35))) moments.push(at);
  }
  return moments.toSorted((a, b) => a.getTime() - b.getTime());
}

const USUAL: readonly (readonly [Fate, number])[] = [
  ["delivered", 830],
  ["lapsed", 45],
  ["changed", 14],
  ["canceled", 22],
  ["declined", 7],
  ["line-canceled", 18],
  ["two-parcels", 22],
  ["partly-refunded", 22],
  ["refunded", 16],
];

/** How many days ago an order was placed, and what has become of it: so each kind of work lies on the desk today. */
const ON_THE_DESK: readonly (readonly [number, Fate])[] = [
  [2.2, "delayed"],
  [3.6, "payment-problem"],
  [3.8, "delayed"],
  [4.4, "payment-problem"],
  [5.4, "delayed"],
  [5.9, "delayed"],
  [6.5, "rest-to-ship"],
  [8, "rest-to-ship"],
  [24, "disputed"],
  [26, "disputed"],
  [30, "refund-failed"],
];

/** By the place of an order among `moments`. */
const onTheDesk = (moments: Date[], now: Date): Map<number, Fate> =>
  new Map(ON_THE_DESK.map(([days, fate]) => [moments.findLastIndex((at) => at <= later(now, -days * DAY)), fate]));

function basket(random: Chance, catalog: readonly DemoProduct[], at: Date, isLarge: boolean): Line[] {
  const weights = { Pro: 5, Classic: 3, Accessories: 1.6 } as Record<string, number>;
  const choices = catalog.map((product) => [product, weights[product.category] ?? 1] as const);
  const lines = new Map<string, Line>();
  for (
    let wanted = isLarge
      ? 2
      : random.weighted([
          [1, 6],
          [2, 3],
          [3, 1],
        ] as const);
    wanted > 0;
    wanted--
  ) {
    const { id, name, category, price, earlyBirdPrice, earlyBirdFrom } = random.weighted(choices);
    const isEarly = earlyBirdPrice !== null && earlyBirdFrom !== null && at >= earlyBirdFrom;
    const quantity = category === "Accessories" && random.is(0.25) ? 2 : 1;
    lines.set(id, { productId: id, name, price: isEarly ? earlyBirdPrice : price, quantity });
  }
  return [...lines.values()];
}

/** New buyers at first, more and more of those who came before. */
function buyerOf(
  random: Chance,
  people: Person[],
  make: ReturnType<typeof peopleMaker>,
  at: Date,
  left: number,
): Person {
  if (people.length === 0 || random.next() * left < PEOPLE - people.length) {
    const person = make(later(at, -random.whole(3, 40) * MINUTE), random.is(0.45));
    people.push(person);
    return person;
  }
  return random.pick(people);
}

export function tellYear(catalog: readonly DemoProduct[], now: Date): Year {
  const random = chance(SEED);
  const make = peopleMaker(random);
  const year: Year = { ...noRows(), people: [], users: [], waitlist: [], contact_messages: [], daily_counts: [] };
  const minutesAgo = [19, 11, 4];
  const moments = [...momentsOf(random, ORDERS - 3, now), ...minutesAgo.map((ago) => later(now, -ago * MINUTE))];
  const desk = onTheDesk(moments, now);
  const written: { person: Person; orderId: string; product: string; at: Date }[] = [];
  for (const [i, at] of moments.entries()) {
    const fromNewest = ORDERS - 1 - i;
    const fate = fromNewest < 3 ? "unpaid" : (desk.get(i) ?? random.weighted(USUAL));
    const person = buyerOf(random, year.people, make, at, ORDERS - i);
    const [utmSource, utmCampaign] = random.weighted(CAMPAIGNS);
    const method = random.weighted<ShippingMethod>([
      ["standard", 78],
      ["express", 17],
      ["overnight", 5],
    ]);
    const lines = basket(
      random,
      catalog,
      at,
      fate === "rest-to-ship" || fate === "two-parcels" || fate === "line-canceled",
    );
    const placed: Placed = { at, person, lines, method, utmSource, utmCampaign };
    tellOrder(year, placed, fate, random, now);
    written.push({ person, orderId: year.orders.at(-1)!.id, product: lines[0]!.name, at });
  }
  year.order_events.sort((a, b) => (a.at as Date).getTime() - (b.at as Date).getTime());
  for (let i = 0; i < SENT_MESSAGES; i++) {
    const about = random.pick(written.slice(i < 12 ? -60 : 0));
    const at = new Date(
      Math.min(
        about.at.getTime() + random.whole(1, 9 * 24) * 60 * MINUTE,
        now.getTime() - random.whole(5, 600) * MINUTE,
      ),
    );
    year.contact_messages.push({
      id: random.uuid(),
      name: `${about.person.firstName} ${about.person.lastName}`,
      email: about.person.email,
      message: random.pick(MESSAGES).replace("{order}", orderNumber(about.orderId)).replace("{product}", about.product),
      created_at: at,
    });
  }
  tellWaitlist(year, random, make, now);
  tellCounts(year, random);
  for (const person of year.people) {
    if (person.userId) year.users.push(accountOf(person.userId, person, true, person));
  }
  return year;
}

/** A place's silent account has no name. */
const accountOf = (id: string, { email, since }: Person, isVerified: boolean, named?: Person): KeyedRow => ({
  id,
  email,
  email_verified: isVerified,
  name: named ? `${named.firstName} ${named.lastName}` : "",
  first_name: named?.firstName ?? "",
  last_name: named?.lastName ?? "",
  created_at: since,
  updated_at: since,
  last_active_at: later(since, MINUTE),
});

/** Some of those who wait have an account and have ordered; the others have the silent one that a place comes with. */
function tellWaitlist(year: Year, random: Chance, make: ReturnType<typeof peopleMaker>, now: Date): void {
  const customers = year.people.filter(({ userId }) => userId !== null);
  for (let i = 0; i < WAITING; i++) {
    const isCustomer = i % 6 === 0 && i / 6 < customers.length;
    const at = later(now, -random.whole(60, DAYS * 24 * 60) * MINUTE);
    const person = isCustomer ? customers[i / 6]! : make(at, true);
    const since = isCustomer ? later(person.since, -random.whole(1, 30) * DAY) : at;
    const verifiedAt = isCustomer || random.is(0.7) ? later(since, random.whole(2, 300) * MINUTE) : null;
    const [utm_source, utm_campaign] = random.weighted(CAMPAIGNS);
    if (isCustomer) person.since = since;
    else if (person.userId) year.users.push(accountOf(person.userId, person, verifiedAt !== null));
    year.waitlist.push({
      id: random.uuid(),
      user_id: person.userId,
      email: person.email,
      phone: random.is(0.3) ? person.phone : null,
      utm_source,
      utm_campaign,
      verified_at: verifiedAt,
      created_at: since,
    });
  }
}

/** As many visits and steps as such orders come from, by their days and campaigns. */
function tellCounts(year: Year, random: Chance): void {
  const orders = new Map<string, { day: string; source: string; campaign: string; count: number }>();
  for (const { created_at: at, utm_source: source, utm_campaign: campaign } of year.orders) {
    const day = shopDay(at as Date);
    const named = { day, source: (source ?? "") as string, campaign: (campaign ?? "") as string };
    const key = Object.values(named).join("\n");
    orders.set(key, { ...named, count: (orders.get(key)?.count ?? 0) + 1 });
  }
  for (const { day, source, campaign, count } of orders.values()) {
    const checkout = Math.ceil(count * (1.5 + random.next()));
    const cart = Math.ceil(checkout * (1.6 + random.next()));
    const view = Math.ceil(cart * (3 + 2 * random.next()));
    const visit = Math.ceil(view * (0.8 + 0.7 * random.next()));
    for (const [step, steps] of Object.entries({ visit, "product-view": view, cart, checkout })) {
      year.daily_counts.push({ day, step, utm_source: source, utm_campaign: campaign, count: steps });
    }
  }
}
