/** The proxies of deploy/ take what the shop takes, and little more. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { MAX_PICTURE_BYTES, MAX_PICTURES } from "#shop/catalog/back-office/product-form.ts";
import { MAX_UPLOAD_BYTES } from "#shop/returns/photo.ts";
import { MAX_PHOTOS } from "#shop/returns/return.ts";
import { MAX_MAIL_BYTES } from "#shop/support/inbox/receive.server.ts";

const MEGABYTE = 1024 * 1024;
const PICTURES = MAX_PICTURES * MAX_PICTURE_BYTES;
const TAKEN: [path: string, bytes: number][] = [
  ["/checkout", 64 * 1024],
  ["/admin/products/new", PICTURES],
  ["/orders/5b1c7d20-3f4e-4a6b-8c9d-0e1f2a3b4c5d/return", MAX_PHOTOS * MAX_UPLOAD_BYTES],
  ["/orders/5b1c7d20-3f4e-4a6b-8c9d-0e1f2a3b4c5d/return.data", MAX_PHOTOS * MAX_UPLOAD_BYTES],
  ["/inbox/mail", MAX_MAIL_BYTES],
];

/** The largest body that nginx passes on to a path: that of its location, else of the server. */
function limitOf(path: string): number {
  const conf = readFileSync("deploy/nginx.conf", "utf8");
  const locations = [...conf.matchAll(/location (?:(=|~) )?(\S+) \{\s+client_max_body_size (\d+)m;/g)];
  const [, , , ofPath] =
    locations.find(([, kind, at = ""]) => (kind === "~" ? new RegExp(at).test(path) : at === path)) ?? [];
  const [, ofServer] = /^ {2}client_max_body_size (\d+)m;/m.exec(conf) ?? [];
  return Number(ofPath ?? ofServer) * MEGABYTE;
}

it.each(TAKEN)("nginx passes on to %s the %i bytes that the shop takes", (path, bytes) => {
  const limit = limitOf(path);
  expect(limit).toBeGreaterThan(bytes);
  expect(limit).toBeLessThan(bytes + 5 * MEGABYTE);
});

it.each(["deploy/Caddyfile", "deploy/debian.sh"])("Caddy passes on all that the shop takes: %s", (file) => {
  const [, limit] = /request_body \{\s+max_size (\d+)MB/.exec(readFileSync(file, "utf8")) ?? [];
  expect(Number(limit) * 1e6).toBeGreaterThan(PICTURES);
});
