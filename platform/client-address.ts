/** The client's address, behind trusted proxies too. */
import { BlockList, isIP } from "node:net";
import { createContext } from "react-router";
import { isLocalName } from "./environment-values.ts";

export type Caller = {
  address: string;
  /** Plain HTTP according to a trusted proxy. */
  isPlain: boolean;
  /** From this machine and addressed to localhost, which no page of another site can forge. */
  isLocal: boolean;
};

export const callerContext = createContext<Caller>({ address: "", isPlain: false, isLocal: false });

const LOOPBACK = /^(?:127\.|::1$)/;
/** Headers added by proxies. Where none of a trusted proxy names the client's address, the client is not local. */
const PROXY_HEADERS = ["X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "X-Real-IP", "Via"];

function asksForThisMachine(request: Request): boolean {
  const url = `http://${request.headers.get("Host") ?? ""}`;
  return URL.canParse(url) && isLocalName(new URL(url).hostname);
}

/** Parses TRUST_PROXY: addresses and subnets, separated by commas, or 'loopback'. */
export function proxyTrust(setting: string | null): (request: Request, peer: string) => Caller {
  const trusted = new BlockList();
  for (const entry of (setting ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)) {
    if (entry === "loopback") {
      trusted.addSubnet("127.0.0.0", 8, "ipv4");
      trusted.addAddress("::1", "ipv6");
      continue;
    }
    const [address = "", bits] = entry.split("/");
    const family = isIP(address);
    if (family === 0)
      throw new Error(
        `TRUST_PROXY: '${entry}' is no address; write for example TRUST_PROXY=10.0.0.0/8 or TRUST_PROXY=loopback.`,
      );
    const kind = family === 4 ? "ipv4" : "ipv6";
    if (bits === undefined) trusted.addAddress(address, kind);
    else trusted.addSubnet(address, Number(bits), kind);
  }
  const isTrusted = (address: string) => {
    const family = isIP(address);
    return family !== 0 && trusted.check(address, family === 4 ? "ipv4" : "ipv6");
  };
  return (request, peer) => {
    const direct = peer.replace(/^::ffff:/, "");
    const isProxied = PROXY_HEADERS.some((name) => request.headers.has(name));
    if (!isTrusted(direct)) {
      const isLocal = LOOPBACK.test(direct) && !isProxied && asksForThisMachine(request);
      return { address: direct, isPlain: false, isLocal };
    }
    const forwarded = (request.headers.get("X-Forwarded-For") ?? "")
      .split(",")
      .map((part) => part.trim())
      .filter((part) => isIP(part) !== 0);
    // Each proxy appends its peer's address, so the last untrusted one is the client's.
    const address = forwarded.findLast((part) => !isTrusted(part)) ?? direct;
    const isKnown = forwarded.length > 0 || !isProxied;
    const isLocal = isKnown && LOOPBACK.test(address) && asksForThisMachine(request);
    return { address, isPlain: request.headers.get("X-Forwarded-Proto") === "http", isLocal };
  };
}
