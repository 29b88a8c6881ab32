/** Sign-ins a second, and what the shop's pages and orders notice of a thousand people who sign in at once. */
import { randomUUID } from "node:crypto";
import { openDatabase } from "../db/connection.server.ts";
import { formatSeenLines } from "../shop/checkout/seen-lines.ts";
import { hashPassword } from "../shop/accounts/passwords/password-hash.server.ts";
import { guestCookie } from "../tests/support/actors.ts";
import { address } from "../tests/support/visitor.ts";
import { freshDatabase, type Bench } from "./databases.ts";
import { AUTH_SECRET, fillCarts, prepare } from "./orders.ts";
import { residentMegabytes, serveShop, type Served } from "./processes.ts";
import { compared, heading, median, round, type Row } from "./report.ts";

const PASSWORD = "a kettle under the stairs";
const CUSTOMERS = 20;
const CROWD = 1_000;
/** How long somebody waits who was told to come back, before they press again. */
const PATIENCE_MS = 5_000;
const ROUNDS = 3;
const PROBES = 40;
const SAMPLE_MS = 20;
/** The first press of all at once is over; from then on they wait and come back. */
const RUSH_MS = 3_000;
const CALM_MS = 8_000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

type Probe = { name: string; send: () => Promise<Response> };

export async function signIns(bench: Bench): Promise<Row[]> {
  const { url, drop } = await freshDatabase(bench);
  await prepare(url);
  const { db, pool } = openDatabase(url);
  const password = await hashPassword(PASSWORD);
  await pool.query(
    `WITH made AS (
       INSERT INTO users (email, email_verified, name) SELECT n || '@example.com', true, '' FROM generate_series(1, $1) n
       RETURNING id
     ) INSERT INTO accounts (user_id, account_id, provider_id, password) SELECT id, id, 'credential', $2 FROM made`,
    [CUSTOMERS, password],
  );
  const { rows: products } = await pool.query<{ id: string }>("SELECT id FROM products ORDER BY slug");
  const ids = products.map(({ id }) => id);
  const carts = await fillCarts(db, pool, ids, 1, PROBES * (2 * ROUNDS + 1));
  const shop = await serveShop({ DATABASE_URL: url, AUTH_SECRET });

  const post = (path: string, fields: Record<string, string>, cookie = "") =>
    fetch(shop.url + path, {
      method: "POST",
      redirect: "manual",
      headers: { Origin: shop.url, Accept: "text/html", Cookie: cookie },
      body: new URLSearchParams(fields),
    });
  const signIn = async (n: number) => {
    const email = `${(n % CUSTOMERS) + 1}@example.com`;
    const response = await post("/auth.data", { intent: "sign-in", redirect: "/", email, password: PASSWORD });
    await response.arrayBuffer();
    // As the page's script posts: a redirect is data, too.
    return response.status === 202 ? "in" : response.status;
  };
  let cart = 0;
  const probes: Probe[] = [
    { name: "a page from the cache", send: () => fetch(shop.url) },
    { name: "a rendered page", send: () => fetch(`${shop.url}/cart`) },
    {
      name: "an order",
      send: () => {
        const { guestId, lines } = carts[cart++] ?? { guestId: "", lines: [] };
        const order = { ...address, checkoutKey: randomUUID(), seen: formatSeenLines(lines) };
        return post("/checkout", order, `polara_guest=${guestCookie(guestId, AUTH_SECRET)}`);
      },
    },
  ];

  for (const probe of probes) await measure(probe);
  const idle = residentMegabytes(shop.pid);
  const began = performance.now();
  for (let n = 0; n < CUSTOMERS; n++) if ((await signIn(n)) !== "in") throw new Error("a sign-in failed");
  const alone = (CUSTOMERS * 1_000) / (performance.now() - began);

  const used = residentMegabytes(shop.pid);
  const quiet = probes.map((): Times[] => []);
  const crowded = probes.map((): Times[] => []);
  const crowds: Awaited<ReturnType<typeof gather>>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, probe] of probes.entries()) quiet[i]?.push(await measure(probe));
    const crowd = gather(shop, signIn);
    await pause(RUSH_MS);
    for (const [i, probe] of probes.entries()) crowded[i]?.push(await measure(probe));
    crowds.push(crowd);
    await crowd.disperse();
  }
  await pause(CALM_MS);
  const calm = residentMegabytes(shop.pid);
  await shop.stop();
  await pool.end();
  await drop();

  const unit = { unit: "a second", digits: 1 };
  const peak = Math.max(...crowds.map(({ figures }) => figures.peakMegabytes));
  return [
    compared("sign-ins, one after another", alone, unit),
    compared(`sign-ins while ${CROWD} wait`, median(crowds.map(({ figures }) => figures.perSecond)), unit),
    heading("milliseconds until an answer, median and 95th percentile", "quiet", `${CROWD} wait`, "ratio"),
    ...probes.map(({ name }, i) => {
      const [before, during] = [quiet[i] ?? [], crowded[i] ?? []];
      const each = (of: "p50" | "p95") => [median(before.map((t) => t[of])), median(during.map((t) => t[of]))] as const;
      const shown = (by: 0 | 1) => `${round(each("p50")[by], 1)}, ${round(each("p95")[by], 1)}`;
      const ratio = (of: "p50" | "p95") => round(each(of)[1] / each(of)[0], 2);
      return { what: name, figures: [shown(0), shown(1), `${ratio("p50")}, ${ratio("p95")}`] };
    }),
    compared("memory of the server before the first sign-in", idle, { unit: "MB" }),
    compared(`memory of the server after ${CUSTOMERS} sign-ins, one after another`, used, { unit: "MB" }),
    compared(`memory of the server at its peak, ${CROWD} waiting`, peak, { unit: "MB" }),
    compared("memory of the server after they are gone", calm, { unit: "MB" }),
  ];
}

type Times = { p50: number; p95: number };

/** One visitor who asks again and again, as a shopper feels it. */
async function measure({ name, send }: Probe): Promise<Times> {
  const times: number[] = [];
  for (let n = 0; n < PROBES; n++) {
    const began = performance.now();
    const response = await send();
    await response.arrayBuffer();
    times.push(performance.now() - began);
    if (response.status !== 200) throw new Error(`${name} answers ${response.status}`);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: median(times), p95: sorted[Math.floor(sorted.length * 0.95)] ?? NaN };
}

/** People who all press at once, and again when they were told to come back, until they are dispersed. */
function gather(shop: Served, signIn: (n: number) => Promise<number | "in">) {
  const figures = { perSecond: 0, peakMegabytes: 0 };
  const began = performance.now();
  let signedIn = 0;
  let isOver = false;
  const sampling = setInterval(() => {
    figures.peakMegabytes = Math.max(figures.peakMegabytes, residentMegabytes(shop.pid));
  }, SAMPLE_MS);
  const people = Array.from({ length: CROWD }, async (_, n) => {
    while (!isOver) {
      const status = await signIn(n);
      if (status === "in") signedIn++;
      else if (status !== 503) throw new Error(`a sign-in answers ${status}`);
      else await pause(PATIENCE_MS * (0.5 + Math.random()));
    }
  });
  return {
    figures,
    async disperse() {
      isOver = true;
      figures.perSecond = (signedIn * 1_000) / (performance.now() - began);
      await Promise.all(people);
      clearInterval(sampling);
    },
  };
}
