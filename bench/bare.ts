/** The least that Hono can do on the same server: one answer of BYTES bytes. What pages are measured against. */
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";

const text = "x".repeat(Number(process.env.BYTES));
const app = new Hono();
app.get("*", (c) => c.body(text, 200, { "Content-Type": "text/html; charset=utf-8" }));

const server = createServer({ keepAliveTimeout: 65_000 });
server.on("request", getRequestListener(app.fetch));
server.listen(Number(process.env.PORT));
process.on("SIGINT", () => process.exit(0));
