/** The EasyPost sandbox for trials and tests: addresses, rates, labels and trackers on a local port. See README.md. */
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { Hono, type Context } from "hono";
import pg from "pg";
import sharp from "sharp";
import {
  correct,
  isKnown,
  rateList,
  shipmentBody,
  trackerBody,
  trackingCode,
  trackingStatus,
  type SandboxAddress,
} from "./parcels.ts";

type Options = {
  databaseUrl: string;
  apiKey: string;
  /** By default a free port. */
  port?: number;
  /** Milliseconds ahead of this machine. */
  clockOffsetMs?: number;
  report: (error: unknown, context: string) => void;
};

/** A fault of the next call to a path: `before` prevents the call, `after` loses only its answer. */
export type Fault = { path: RegExp; when: "before" | "after"; how: "cut" | "error" | "hang" | "refuse" };

export type CarrierSandbox = Awaited<ReturnType<typeof startCarrierSandbox>>;

const HOST = "127.0.0.1";
const SLOW_MS = 6_000;

/** Concurrent starts would collide in the catalog. */
const SCHEMA = `
  BEGIN;
  SELECT pg_advisory_xact_lock(4096);
  CREATE SCHEMA IF NOT EXISTS carrier_sandbox;
  CREATE TABLE IF NOT EXISTS carrier_sandbox.shipments (
    id text PRIMARY KEY, body jsonb NOT NULL, bought jsonb, refund text);
  CREATE TABLE IF NOT EXISTS carrier_sandbox.trackers (
    code text PRIMARY KEY, carrier text NOT NULL, status text, at timestamptz NOT NULL);
  COMMIT`;

type Row = { id: string; body: ReturnType<typeof shipmentBody.parse>; bought: Bought | null; refund: string | null };
type Bought = { rate: string; code: string };

export async function startCarrierSandbox({ databaseUrl, apiKey, port = 0, clockOffsetMs = 0, report }: Options) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 5, connectionTimeoutMillis: 5_000 });
  pool.on("error", () => {});
  await pool.query(SCHEMA);
  const now = () => new Date(Date.now() + clockOffsetMs);
  const faults: Fault[] = [];
  const takeFault = (path: string, when: Fault["when"]) => {
    const at = faults.findIndex((fault) => fault.when === when && fault.path.test(path));
    return at === -1 ? null : faults.splice(at, 1)[0]!.how;
  };
  const refuse = (c: Context, status: 401 | 404 | 422 | 503, code: string) =>
    c.json({ error: { code, message: code, errors: [] } }, status);

  const show = ({ id, body, bought, refund }: Row) => ({
    id,
    object: "Shipment",
    mode: "test",
    reference: body.reference,
    rates: rateList(id, body.parcel.weight),
    tracking_code: bought?.code ?? null,
    postage_label: bought && { label_url: `${origin()}/labels/${id}.png` },
    refund_status: refund,
  });
  const find = async (id: string) =>
    (await pool.query<Row>("SELECT * FROM carrier_sandbox.shipments WHERE id = $1", [id])).rows[0];

  const api = new Hono();
  api.get("/labels/:file", async (c) => {
    const found = await find(c.req.param("file").replace(".png", ""));
    if (!found?.bought) return c.notFound();
    const svg = labelPicture(found.body.to_address, found.bought.code);
    const png = await sharp(Buffer.from(svg)).png().toBuffer();
    return c.body(new Uint8Array(png), 200, { "Content-Type": "image/png" });
  });
  api.use("/v2/*", async (c, next) => {
    if (c.req.header("Authorization") !== `Basic ${btoa(`${apiKey}:`)}`) return refuse(c, 401, "APIKEY.INVALID");
    return next();
  });
  api.post("/v2/addresses", async (c) => {
    const { address } = (await c.req.json()) as { address: Record<string, string> };
    if (/\bslow\b/i.test(address.street1 ?? "")) await pause(SLOW_MS);
    if (/\bdown\b/i.test(address.street1 ?? "")) return refuse(c, 503, "SERVICE.UNAVAILABLE");
    const success = isKnown(address);
    return c.json({ ...(success ? correct(address) : address), verifications: { delivery: { success, errors: [] } } });
  });
  api.post("/v2/shipments", async (c) => {
    const read = shipmentBody.safeParse(((await c.req.json()) as { shipment: unknown }).shipment);
    if (!read.success) return refuse(c, 422, "SHIPMENT.INVALID_PARAMS");
    const id = `shp_${randomBytes(16).toString("hex")}`;
    await pool.query("INSERT INTO carrier_sandbox.shipments (id, body) VALUES ($1, $2)", [id, read.data]);
    return c.json(show({ id, body: read.data, bought: null, refund: null }), 201);
  });
  api.get("/v2/shipments/:id", async (c) => {
    const found = await find(c.req.param("id"));
    return found ? c.json(show(found)) : refuse(c, 404, "NOT_FOUND");
  });
  api.post("/v2/shipments/:id/buy", async (c) => {
    const id = c.req.param("id");
    const found = await find(id);
    const { rate } = (await c.req.json()) as { rate: { id: string } };
    const chosen = found && rateList(id, found.body.parcel.weight).find((each) => each.id === rate.id);
    if (!chosen) return refuse(c, 422, "SHIPMENT.MISSING_RATE");
    const number = createHash("sha256").update(id).digest();
    const code = trackingCode(chosen.carrier, number, found.body.to_address.street1);
    const { rows } = await pool.query<Row>(
      "UPDATE carrier_sandbox.shipments SET bought = $2 WHERE id = $1 AND bought IS NULL RETURNING *",
      [id, { rate: rate.id, code } satisfies Bought],
    );
    return rows[0] ? c.json(show(rows[0])) : refuse(c, 422, "SHIPMENT.POSTAGE.EXISTS");
  });
  api.post("/v2/shipments/:id/refund", async (c) => {
    const { rows } = await pool.query<Row>(
      "UPDATE carrier_sandbox.shipments SET refund = 'submitted' WHERE id = $1 AND bought IS NOT NULL RETURNING *",
      [c.req.param("id")],
    );
    return rows[0] ? c.json(show(rows[0])) : refuse(c, 422, "SHIPMENT.REFUND.UNAVAILABLE");
  });
  api.post("/v2/trackers", async (c) => {
    const { tracker } = trackerBody.parse(await c.req.json());
    if (tracker.tracking_code.endsWith("8")) return refuse(c, 503, "SERVICE.UNAVAILABLE");
    const { rows } = await pool.query<{ status: string | null; at: Date }>(
      `INSERT INTO carrier_sandbox.trackers AS known (code, carrier, at) VALUES ($1, $2, $3)
       ON CONFLICT (code) DO UPDATE SET code = known.code RETURNING status, at`,
      [tracker.tracking_code, tracker.carrier, now()],
    );
    const { status, at } = rows[0]!;
    const is = status ? { status, at } : trackingStatus(tracker.tracking_code, at, now());
    return c.json({
      id: `trk_${tracker.tracking_code}`,
      object: "Tracker",
      tracking_code: tracker.tracking_code,
      status: is.status,
      updated_at: is.at,
      tracking_details: [{ status: is.status, datetime: is.at }],
    });
  });
  api.onError((error, c) => {
    report(error, "the carrier sandbox could not answer a call");
    return refuse(c, 503, "INTERNAL");
  });

  const server = createServer(
    getRequestListener(async (request, { incoming }) => {
      const { pathname } = new URL(request.url);
      const fails = (how: Fault["how"]) => {
        if (how === "cut") incoming.socket.destroy();
        if (how === "cut" || how === "hang") return new Promise<never>(() => {});
        const code = how === "refuse" ? "REFUSED" : "INTERNAL";
        return Response.json({ error: { code } }, { status: how === "refuse" ? 422 : 500 });
      };
      const before = takeFault(pathname, "before");
      if (before) return fails(before);
      const answer = await api.fetch(request);
      const after = takeFault(pathname, "after");
      return after ? fails(after) : answer;
    }),
  );
  await once(server.listen(port, HOST), "listening");
  const origin = () => `http://${HOST}:${(server.address() as { port: number }).port}`;

  return {
    apiUrl: origin(),
    apiKey,
    faults,
    /** Sets what a carrier says about a parcel. */
    async setStatus(code: string, status: string, at = now()): Promise<void> {
      await pool.query(
        `INSERT INTO carrier_sandbox.trackers (code, carrier, status, at) VALUES ($1, '', $2, $3)
         ON CONFLICT (code) DO UPDATE SET status = $2, at = $3`,
        [code, status, at],
      );
    },
    /** Numbers of labels bought and refunded. */
    async count(): Promise<{ bought: number; refunded: number }> {
      const { rows } = await pool.query<{ bought: number; refunded: number }>(
        "SELECT count(bought)::int AS bought, count(refund)::int AS refunded FROM carrier_sandbox.shipments",
      );
      return rows[0]!;
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await pool.end();
    },
  };
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const barsOf = (code: string) =>
  Array.from(code, (letter, i) => {
    const width = 2 + (letter.charCodeAt(0) % 7);
    return `<rect x="${30 + i * (340 / code.length)}" y="360" width="${width}" height="120"/>`;
  }).join("");

function labelPicture(to: SandboxAddress, code: string): string {
  const lines = [to.name, to.street1, to.street2, `${to.city}, ${to.state} ${to.zip}`].filter(Boolean);
  const address = lines.map((line, i) => `<text x="30" y="${170 + i * 34}" font-size="24">${escaped(line)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="1200" viewBox="0 0 400 600" font-family="sans-serif">
    <rect width="400" height="600" fill="#fff"/><rect x="8" y="8" width="384" height="584" fill="none" stroke="#000" stroke-width="3"/>
    <text x="30" y="60" font-size="26" font-weight="bold">NOT A REAL LABEL</text>
    <text x="30" y="130" font-size="16">Ship to</text>${address.join("")}${barsOf(code)}
    <text x="30" y="520" font-size="18">${escaped(code)}</text>
  </svg>`;
}
