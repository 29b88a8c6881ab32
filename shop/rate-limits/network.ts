/** Whom an address stands for where somebody is counted: an IPv6 line has 2^64 addresses of its own, and counts as one. */
import { isIPv6 } from "node:net";

/** The address itself, or the /64 network of an IPv6 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = address.split("%")[0] ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped) return mapped;
  const [head = "", tail] = plain.split("::", 2);
  const groups = (text: string) => (text ? text.split(":") : []);
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  // An IPv4 address at the end stands for two groups.
  const width = left.length + right.length + (plain.includes(".") ? 1 : 0);
  const all = tail === undefined ? left : [...left, ...Array<string>(8 - width).fill("0"), ...right];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
