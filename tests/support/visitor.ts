/** A visitor without a browser: keeps cookies, sends forms as the shop's own pages do. */
import { randomUUID } from "node:crypto";

type VisitorState = {
  isInvited: boolean;
  cartCount: number;
  customer: { firstName: string; emailVerified: boolean } | null;
  wishlist: string[];
  flashMessage: { title: string; link?: { to: string; text: string } } | null;
};

/** The Cookie header a browser would send after an answer. */
export function cookiesAfter(answer: Headers): string {
  return answer
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

export class Visitor {
  #cookies = new Map<string, string>();
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** The same visitor, where the shop answers at another address. */
  movedTo(url: string): Visitor {
    const moved = new Visitor(url);
    moved.#cookies = this.#cookies;
    return moved;
  }

  /** Lets another be the same visitor, for example one who calls from elsewhere. */
  lendCookiesTo(other: Visitor): void {
    other.#cookies = this.#cookies;
  }

  /** A cookie that was not set by an answer. */
  carry(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  /** The Cookie header. */
  cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    // Compression has its own tests, and is a twentieth of the shop's work.
    if (!headers.has("Accept-Encoding")) headers.set("Accept-Encoding", "identity");
    if (this.#cookies.size > 0) headers.set("Cookie", this.cookieHeader());
    const response = await fetch(this.url + path, { redirect: "manual", ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      this.#cookies.set(name, value);
    }
    return response;
  }

  /** Posts a form as a page without JavaScript does. */
  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(path, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { Origin: this.url, Accept: "text/html", ...headers },
    });
  }

  /** The visitor state that every page asks for. */
  async me(): Promise<VisitorState> {
    return (await (await this.fetch("/personal")).json()) as VisitorState;
  }

  /** An access token of the signed-in customer. */
  async accessToken(): Promise<string> {
    return ((await (await this.fetch("/api/auth/token")).json()) as { token: string }).token;
  }

  async isIn(): Promise<boolean> {
    return (await this.fetch("/account")).status === 200;
  }

  /** A form of Settings, as a page without JavaScript sends it. */
  async settings(intent: string, fields: Record<string, string> = {}) {
    const response = await this.post("/account?tab=settings", { intent, ...fields });
    return { status: response.status, headers: response.headers, html: await response.text() };
  }

  /** The id that the shop's own markup carries for a product. */
  async productId(slug: string): Promise<string> {
    const html = await (await this.fetch(`/product/${slug}`)).text();
    const id = /name="productId" value="([^"]+)"/.exec(html)?.[1];
    if (!id) throw new Error(`no product id on /product/${slug}`);
    return id;
  }

  async add(slug: string, quantity = 1): Promise<Response> {
    return this.post("/cart/add", { productId: await this.productId(slug), quantity: String(quantity) });
  }

  /** The hidden fields that the checkout page carries now. */
  async checkoutFields() {
    const html = await (await this.fetch("/checkout")).text();
    const field = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? "";
    const [checkoutKey, seen, seenShipping] = [field("checkoutKey"), field("seen"), field("seenShipping")];
    const [seenDiscount, seenCode] = [field("seenDiscount"), field("seenCode")];
    return { checkoutKey, seen, seenShipping, seenTerms: field("seenTerms"), seenDiscount, seenCode, code: seenCode };
  }

  /** Submits the checkout; what is not given is filled in as a careful shopper would. */
  async checkout(fields: Record<string, string> = {}): Promise<Response> {
    return this.post("/checkout", { ...address, ...(await this.checkoutFields()), ...fields });
  }
}

let addresses = 0;
/** An address that nobody had before. */
export const newAddress = () => `10.1.${addresses >> 8}.${addresses++ & 255}`;

/** A visitor with an address of their own, for a shop with TRUST_PROXY=loopback. */
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

export const address = {
  email: "ada@example.com",
  phone: "+1 212 555 0100",
  shippingFirstName: "Ada",
  shippingLastName: "Lovelace",
  shippingAddressLine1: "12 Analytical Ave",
  shippingCity: "New York",
  shippingState: "NY",
  shippingPostalCode: "10001",
  shippingCountry: "US",
  billingAddressSameAsShipping: "on",
  shippingMethod: "standard",
};

export const aKey = randomUUID;
