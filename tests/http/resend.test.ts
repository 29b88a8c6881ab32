import { describe, expect, it } from "vitest";
import { makeActor, type Actor } from "../support/actors.ts";
import { emailTo, linkIn } from "../support/mailbox.ts";
import { Visitor } from "../support/visitor.ts";
import { useShop } from "../support/use-shop.ts";

const AUTH_SECRET = "a secret that only tests know, and long enough";

const { shop, database } = useShop({ AUTH_SECRET, RATE_LIMIT_SCALE: "1" });

const unverified = () => makeActor(database.pool, shop.url, AUTH_SECRET, "unverified customer");
async function resend({ visitor }: Pick<Actor, "visitor">): Promise<{ status: number; answer: unknown }> {
  const response = await visitor.post("/auth/resend", {}, { Accept: "*/*" });
  return { status: response.status, answer: await response.json() };
}

describe("asking for another verification link", () => {
  it("sends one that verifies", async () => {
    const who = await unverified();
    expect(await resend(who)).toEqual({
      status: 200,
      answer: {
        ok: true,
        title: "Email sent!",
        description: "Please check your inbox for the verification link.",
      },
    });
    const link = linkIn(await emailTo(shop.url, who.email, "Verify your email"), "/auth/verify");
    expect((await who.visitor.fetch(link)).headers.get("Location")).toBe("/#type=signup");
  });

  it("is not for a guest, who has given no email", async () => {
    expect(await resend({ visitor: new Visitor(shop.url) })).toEqual({
      status: 401,
      answer: { ok: false, title: "Error", description: "No user email found" },
    });
  });

  it("says so where it fails", async () => {
    const who = await unverified();
    await database.pool.query("ALTER TABLE pgboss.queue RENAME TO queue_away");
    try {
      expect(await resend(who)).toEqual({
        status: 503,
        answer: { ok: false, title: "Error", description: "Failed to resend verification email" },
      });
    } finally {
      await database.pool.query("ALTER TABLE pgboss.queue_away RENAME TO queue");
    }
  });

  it("is slowed after five", async () => {
    const who = await unverified();
    for (let i = 0; i < 5; i++) expect((await resend(who)).status).toBe(200);
    expect(await resend(who)).toMatchObject({
      status: 429,
      answer: { ok: false, description: expect.stringMatching(/^Too many attempts\. Please wait \d+ minutes/) },
    });
  });
});
