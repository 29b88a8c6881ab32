/** The letter that a product can be bought. */
import { and, eq, isNull } from "drizzle-orm";
import { products } from "#shop/catalog/product.tables.ts";
import { emailTemplate, oneClick } from "#shop/mail/email.ts";
import { linkEmail } from "#shop/mail/email-layout.tsx";
import { settings } from "#shop/settings/settings.server.ts";
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
        .select({ to: consents.email, name: products.name, slug: products.slug })
        .from(consents)
        .innerJoin(products, eq(products.id, consents.productId))
        .where(and(eq(consents.id, consentId), isNull(consents.withdrawnAt), isNull(products.retiredAt)));
      if (!found) return null;
      const { slug, ...told } = found;
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
