/** The CSRF guard of a shop on https whose proxy connects by plain http. */
import { describe, expect, it } from "vitest";
import { useShop } from "../support/use-shop.ts";
import { Visitor } from "../support/visitor.ts";

const SITE = "https://localhost";
const { shop } = useShop({ BASE_URL: SITE, AUTH_SECRET: "a secret that only tests know, and long enough" });

let count = 0;
/** A form as sent by a browser from `origin`. */
const send = (path: string, origin: string) =>
  new Visitor(shop.url).post(path, { email: `ada${count++}@example.com` }, { Origin: origin, Accept: "*/*" });

describe("a form from the shop's public address", () => {
  it.each(["/reset-password", "/reset-password.data", "/waitlist/join", "/waitlist/join.data"])(
    "is accepted at %s",
    async (path) => {
      const { status } = await send(path, SITE);
      expect([200, 202]).toContain(status);
    },
  );

  it.each(["https://evil.example", "null", "http://localhost:1", "https://localhost.evil.example", "https://"])(
    "is refused from %s",
    async (origin) => {
      for (const path of ["/reset-password", "/reset-password.data"])
        expect([path, (await send(path, origin)).status]).toEqual([path, 403]);
    },
  );
});
