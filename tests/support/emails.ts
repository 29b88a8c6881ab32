/** The shop's emails with sample data, for runners that do not read JSX as the shop does. */
import { createServer } from "vite";
import type * as registry from "#shop/emails.server.ts";
import type { Email, EmailShop, TemplateName } from "#shop/mail/email.ts";

/** One sample of one email, as a shop at `shop` sends it. */
export async function sampleEmail(template: TemplateName, sample: string, shop: EmailShop): Promise<Email> {
  const vite = await createServer({
    configFile: false,
    appType: "custom",
    server: { middlewareMode: true, ws: false },
  });
  try {
    const { emails } = (await vite.ssrLoadModule("/shop/emails.server.ts")) as typeof registry;
    const email = emails[template].samples(shop)[sample];
    if (!email) throw new Error(`${template} has no sample '${sample}'`);
    return email;
  } finally {
    await vite.close();
  }
}
