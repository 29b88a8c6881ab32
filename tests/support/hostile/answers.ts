/** What must never be in an answer, whatever was asked. */
import type { Attack } from "./attempt.ts";
import { FOREIGN_SITE, HEADER_MARK, SCRIPT_MARK } from "./values.ts";
import type { Answer } from "./wire.ts";

/** A form's longest answer repeats what was typed in its markup and in its data, each escaped. */
const MAX_BYTES = 1_000_000;
/** The mailbox of a shop that is tried out shows 200 mails whole. */
const MAX_MAILBOX_BYTES = 20_000_000;

const INSIDES =
  /\n\s+at (?:async )?[\w.<>[\] ]+ ?\(|node_modules|\/build\/server|file:\/\/\/(?!etc)|Failed query|syntax error at or near|invalid byte sequence|invalid input syntax|violates \w+ constraint|ECONNREFUSED|better-auth\/|ZodError|(?:Type|Reference|Range|URI)Error:/;
const RUNS = new RegExp(
  [
    `<script>${SCRIPT_MARK}`,
    `<img src=x onerror=${SCRIPT_MARK}`,
    `<svg/onload=${SCRIPT_MARK}`,
    `(?:href|src|action|formaction)="\\s*(?:javascript|data:text/html)`,
  ].join("|"),
  "i",
);

/** Everything that is wrong with an answer. */
export function faultsOf(attack: Attack, answer: Answer, origin: string): string[] {
  const { status, head, headers, body } = answer;
  const faults: string[] = [];
  const type = headers.get("Content-Type") ?? "";
  const text = /text|json|xml|javascript/.test(type) ? body.toString("utf8") : "";
  if (status >= 500 && !isRefusedByNode(attack, status))
    faults.push(`${status} from ${attack.method} ${attack.path.split("?")[0]}`);
  if (attack.whole && answer.left > 0) faults.push(`${answer.left} bytes after the answer`);
  if (head.toLowerCase().includes(`\n${HEADER_MARK.toLowerCase()}`)) faults.push("a header of the attacker's");

  const location = headers.get("Location");
  if (location !== null && !isHere(location, origin)) faults.push(`leads to ${location}`);
  const within = text.includes("SingleFetchRedirect") ? /"redirect","([^"]*)"/.exec(text)?.[1] : undefined;
  if (within !== undefined && !isHere(JSON.parse(`"${within}"`) as string, origin)) faults.push(`leads to ${within}`);

  for (const cookie of headers.getSetCookie()) {
    if (!/^(?:__Host-|__Secure-)?polara[\w.-]*=/.test(cookie)) faults.push(`sets the cookie ${cookie}`);
    if (!/; ?HttpOnly/i.test(cookie) || !/; ?SameSite=(?:Lax|Strict)/i.test(cookie))
      faults.push(`an open cookie: ${cookie}`);
  }
  if (/html|xml/.test(type) && RUNS.test(text)) faults.push(`runs: ${around(text, RUNS)}`);
  if (type !== "" && headers.get("X-Content-Type-Options") !== "nosniff") faults.push("no nosniff");
  if (/html/.test(type) && !headers.has("Content-Security-Policy")) faults.push("no Content-Security-Policy");
  if (INSIDES.test(text)) faults.push(`shows its insides: ${around(text, INSIDES)}`);
  const most = /<title>Mailbox|"sentAt"/.test(text.slice(0, 20_000)) ? MAX_MAILBOX_BYTES : MAX_BYTES;
  if (body.length > most) faults.push(`${body.length} bytes`);
  return faults;
}

/** Node itself answers what is no HTTP that it speaks, before the shop is asked. */
const isRefusedByNode = ({ whole }: Attack, status: number) => !whole && status === 505;

function isHere(location: string, origin: string): boolean {
  if (!URL.canParse(location, origin)) return false;
  const { origin: there, pathname } = new URL(location, origin);
  return there === origin && !pathname.startsWith("//") && !there.includes(FOREIGN_SITE);
}

function around(text: string, pattern: RegExp): string {
  const at = text.search(pattern);
  return JSON.stringify(text.slice(Math.max(0, at - 60), at + 140));
}
