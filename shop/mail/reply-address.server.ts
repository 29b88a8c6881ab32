/** Addresses to which customers answer: each names its conversation or order, signed, so that nobody can make one up. */
import { isSame, signed } from "#shop/purpose-key.server.ts";
import type { EmailShop } from "./email.ts";

/** Subject to which an email belongs. */
export type About = { kind: "message" | "order"; id: string };

const KINDS = { m: "message", o: "order" } as const;

/** Mail servers may change the case of an address, and allow 64 characters before the @. */
const SIGNATURE_CHARACTERS = 16;

const sign = (text: string, secret: string): string =>
  signed(secret, "reply address", text, "hex").slice(0, SIGNATURE_CHARACTERS);

/** The Reply-To of an email, or null without an inbox: support+m{id}{signature}@shop.example. */
export function replyAddress({ kind, id }: About, { inbox, secret }: EmailShop): string | null {
  if (!inbox) return null;
  const [name, domain] = inbox.address.split("@");
  const token = kind[0] + id.replaceAll("-", "");
  return `${name}+${token}${sign(token, secret)}@${domain}`;
}

const TOKEN = /^([mo])(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})(\w{16})$/;

/** Subject that an address of the inbox names; null without a token, 'forged' if none of `secrets` signed it. */
export function readReplyAddress(address: string, inbox: string, secrets: string[]): About | "forged" | null {
  const [name, domain] = inbox.toLowerCase().split("@");
  const [to, at] = address.toLowerCase().split("@");
  if (at !== domain || !to?.startsWith(`${name}+`)) return null;
  const token = to.slice(name!.length + 1);
  const [, kind, ...parts] = TOKEN.exec(token) ?? [];
  const given = parts.pop() ?? "";
  const text = token.slice(0, -SIGNATURE_CHARACTERS);
  const isOurs = secrets.some((secret) => isSame(sign(text, secret), given));
  return isOurs ? { kind: KINDS[kind as keyof typeof KINDS], id: parts.join("-") } : "forged";
}
