/** The baseline: bare Hono with a response of BYTES bytes. */
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const text = "x".repeat(Number(process.env.BYTES));
const app = new Hono();
app.get("*", (c) => c.body(text, 200, { "Content-Type": "text/html; charset=utf-8" }));
serve({ fetch: app.fetch, port: Number(process.env.PORT) });
process.on("SIGINT", () => process.exit(0));
