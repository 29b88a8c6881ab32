/** Requests as no browser sends them, each made from a number alone. */
import { Attempt, type Attack, type Header, type Target } from "./attempt.ts";
import { hostileForms } from "./hostile-forms.ts";
import { hostileFrames } from "./hostile-frames.ts";
import type { Chance } from "./values.ts";

const NETWORKS = 2_000;

const kinds = { ...hostileForms, ...hostileFrames };
export const KINDS = Object.keys(kinds);
const lots = KINDS.flatMap((kind) => Array.from({ length: kinds[kind]?.weight ?? 0 }, () => kind));

/** The attack with this number. The same seed, number and target make the same bytes. */
export function makeAttack(seed: number, number: number, target: Target): Attack {
  const attempt = new Attempt(seed * 1_000_003 + number, target);
  const { chance } = attempt;
  const kind = chance.pick(lots);
  const draft = kinds[kind]!.make(attempt);
  const { method, path, headers, noHost, whole = true } = draft;
  const body = Buffer.from(draft.body ?? "");
  const has = (name: string) => headers.some(([one]) => one.toLowerCase() === name.toLowerCase());
  const usual: Header[] = [
    ["Host", new URL(target.origin).host],
    ["Origin", target.origin],
    ["Accept", chance.maybe(0.5) ? "text/html" : "*/*"],
    ["User-Agent", "Mozilla/5.0 (X11; Linux x86_64) Chrome/140"],
    ["Cookie", attempt.who.cookie],
    ["X-Forwarded-For", network(chance)],
  ];
  const { length = body.length > 0 || method === "POST" ? String(body.length) : null } = draft;
  const lines: Header[] = [
    ...usual.filter(([name, value]) => value && !has(name) && !(noHost && name === "Host")),
    ...headers,
    ...(length === null ? [] : [["Content-Length", length] satisfies Header]),
  ];
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return { kind, method, path, bytes: Buffer.concat([Buffer.from(head, "latin1"), body]), whole };
}

/** From many networks, and from one that sends more than its share. */
function network(chance: Chance): string {
  if (chance.maybe(0.1)) return "198.51.100.7";
  const line = chance.below(NETWORKS);
  return chance.maybe(0.3)
    ? `2001:db8:${line.toString(16)}::${chance.below(9_999).toString(16)}`
    : `203.${line >> 8}.${line & 255}.${1 + chance.below(250)}`;
}
