/** Pays on the sandbox's page as a browser without JavaScript does. */
import type { Account } from "#sandboxes/paypal/order.ts";

export type PaysWith = {
  number?: string;
  expiry?: string;
  cvc?: string;
  name?: string;
  address?: string;
  zip?: string;
  wallet?: "apple_pay" | "google_pay";
  /** Another method than a card, by its button. */
  method?: string;
  /** An account at PayPal, on its page. */
  account?: Account;
  /** The answer to a 3D Secure challenge. */
  bank?: "complete" | "fail";
};

export type Paid = { status: number; location: string | null; html: string };

const CARD = {
  number: "4242 4242 4242 4242",
  expiry: "12 / 40",
  cvc: "123",
  name: "Ada Lovelace",
  address: "1 Other St",
  zip: "10001",
};

const post = (url: string, fields: Record<string, string>) =>
  fetch(url, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { Origin: new URL(url).origin },
    redirect: "manual",
  });

async function formAt(url: string): Promise<{ action: string; html: string; status: number }> {
  const response = await fetch(url, { redirect: "manual" });
  const html = await response.text();
  const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1] ?? "";
  return { action, html, status: response.status };
}

const isBank = (url: string, location: string) =>
  new URL(location).origin === new URL(url).origin && location.endsWith("/bank");

export async function payOnPage(
  url: string,
  { wallet, method, account, bank = "complete", ...typed }: PaysWith = {},
): Promise<Paid> {
  const { action, html, status } = await formAt(url);
  if (!action) return { status, location: null, html };
  const fields: Record<string, string> = wallet ? { wallet } : method ? { method } : { ...CARD, ...typed };
  let response = await post(action, account ? { account } : fields);
  let location = response.headers.get("Location");
  if (location && isBank(url, location)) {
    const page = await formAt(location);
    const challenge = /name="challenge" value="([^"]+)"/.exec(page.html)?.[1] ?? "";
    response = await post(page.action, { challenge, answer: bank });
    location = response.headers.get("Location");
  }
  return { status: response.status, location, html: await response.text() };
}
