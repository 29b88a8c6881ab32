/** A visitor from an address of their own, for a shop that believes its proxy (TRUST_PROXY=loopback). */
import { Visitor } from "./visitor.ts";

let addresses = 0;
/** An address that nobody had before. */
export const newAddress = () => `10.1.${addresses >> 8}.${addresses++ & 255}`;

export class Caller extends Visitor {
  readonly address: string;

  constructor(url: string, address = newAddress()) {
    super(url);
    this.address = address;
  }

  override fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("X-Forwarded-For", this.address);
    return super.fetch(path, { ...init, headers });
  }
}
