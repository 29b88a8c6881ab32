/** The letter that a product can be bought. */
import { and, eq, isNull, sql } from "drizzle-orm";
import { products } from "#shop/catalog/product.tables.ts";
import { emailTemplate, oneClick } from "#shop/mail/email.ts";
import { linkEmail } from "#shop/mail/email-layout.tsx";
import { settings } from "#shop/settings/settings.server.ts";
import { isBuyable } from "./back-in-stock.server.ts";
import { consentUrl } from "./consents.server.ts";
import { consents } from "./consent.tables.ts";

declare module "#shop/mail/email.ts" {
  interface EmailJobs {
    "back-in-stock": { consentId: string };
  }
}

type Told = { to: string; name: string; link: string; unsubscribe: string };

export const backInStockEmails = {
  "back-in-stock": emailTemplate({
    async load(db, { consentId }: { consentId: string }, shop): Promise<Told | null> {
      const [found] = await db
        .select({ to: consents.email, name: products.name, slug: products.slug, isBuyable })
        .from(consents)
        .innerJoin(products, eq(products.id, consents.productId))
        .where(and(eq(consents.id, consentId), isNull(consents.withdrawnAt)));
      if (!found) return null;
      const { slug, isBuyable: isTrue, ...told } = found;
      if (!isTrue) {
        // What sold out in between would make the letter untrue: it waits for the next units.
        await db.execute(sql`
          UPDATE consents SET told_at = NULL WHERE id = ${consentId}::uuid AND withdrawn_at IS NULL
            AND NOT EXISTS (SELECT FROM consents AS open WHERE open.email = consents.email AND open.kind = consents.kind
              AND open.product_id = consents.product_id AND open.withdrawn_at IS NULL AND open.told_at IS NULL)`);
        return null;
      }
      return { ...told, link: `${shop.baseUrl}/product/${slug}`, unsubscribe: consentUrl(consentId, shop) };
    },
    render: ({ to, name, link, unsubscribe }, shop) => ({
      ...linkEmail(
        to,
        {
          subject: `${name} is available`,
          intro: `You asked us to email ${to} when ${name} is available. It is now. We can’t hold one for you, so it may sell out again.`,
          button: "See it in the shop",
          link,
          close: `This is the only email about it. To stop all emails of this kind: ${unsubscribe}\n\n${settings().contact.postalAddress.join(", ")}`,
        },
        shop,
      ),
      headers: oneClick(unsubscribe),
    }),
    samples: {
      "to someone who asked": {
        to: "ada@example.com",
        name: "Travel Sleeve",
        link: "http://localhost:3000/product/travel-sleeve",
        unsubscribe: "http://localhost:3000/unsubscribe?k=sample",
      },
    },
  }),
};
