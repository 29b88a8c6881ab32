/** What attacks are made from: a visitor, forms that are filled in as they should be, addresses that are none. */
import { Chance, encodeValue, FOREIGN_SITE, HEADER_MARK, hostileValue, PERSONAL_MARK } from "./values.ts";

/** A form of the shop: its address, and the names that it takes. */
export type Form = { path: string; fields: string[] };

/** Who sends: the Cookie header, and what a form of theirs that is right would hold. */
export type Attacker = { cookie: string; right: Record<string, string> };

export type Target = {
  /** Where the shop listens, as in its own address. */
  origin: string;
  /** Addresses that answer a GET. */
  paths: string[];
  forms: Form[];
  /** Parameters that some page reads. */
  parameters: string[];
  attackers: Attacker[];
  /** Ids, names and emails of people who do nothing here. */
  theirs: string[];
};

export type Attack = {
  kind: string;
  method: string;
  path: string;
  bytes: Buffer;
  /** Whether it is one complete request, after which another may follow. */
  whole: boolean;
};

export type Header = [name: string, value: string];
export type Draft = {
  method: string;
  path: string;
  headers: Header[];
  body?: Buffer | string;
  /** Instead of the body's true length. */
  length?: string | null;
  whole?: boolean;
  noHost?: true;
};

/** How an attack of one kind is made, and how often it is chosen. */
export type Kinds = Record<string, { weight: number; make: (attempt: Attempt) => Draft }>;

export const FORM = "application/x-www-form-urlencoded";
/** How many of the forms have the right password. */
const PASSWORDS = 0.03;

/** What every kind of attack is made from. */
export class Attempt {
  readonly chance: Chance;
  readonly target: Target;
  readonly who: Attacker;

  constructor(seed: number, target: Target) {
    this.chance = new Chance(seed);
    this.target = target;
    this.who = this.chance.pick(target.attackers);
  }

  value = () => hostileValue(this.chance, this.target.theirs);

  /** As part of an address. Those are logged, so nobody's name or email is among them: the shop puts none there. */
  segment = () =>
    encodeValue(
      this.chance,
      this.value()
        .slice(0, 1_000)
        .replaceAll(PERSONAL_MARK, "a")
        .replaceAll(/[\w.+]+@/g, "a@"),
    );

  /** A form filled in as it should be, field by field as its names ask. */
  fill({ fields }: Form): [name: string, value: string][] {
    const { chance } = this;
    const right = this.who.right;
    // Checking a password is made to be slow: most forms stop short of it.
    const isKnown = chance.maybe(PASSWORDS);
    return fields
      .filter(() => chance.maybe(0.97))
      .map((name): [string, string] => [
        name,
        name === "intent"
          ? chance.pick((right.intent ?? "").split(" "))
          : /password/i.test(name) && !isKnown
            ? ""
            : (right[name] ?? "1"),
      ]);
  }

  encode = (pairs: [name: string, value: string][]) =>
    pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeValue(this.chance, value)}`).join("&");

  post(form: Form, body: string | Buffer, headers: Header[] = [["Content-Type", FORM]]): Draft {
    return { method: "POST", path: this.dressed(form.path), headers, body };
  }

  rightBody = (form: Form) =>
    this.fill(form)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join("&");

  /** The address, or its `.data` variant, sometimes with parameters. */
  dressed(path: string): string {
    const { chance } = this;
    const [page = "", query] = path.split("?");
    const data = chance.maybe(0.25) ? (page === "/" ? "/_.data" : `${page}.data`) : page;
    const routes = data === page ? "" : chance.maybe(0.5) ? `&_routes=${encodeValue(chance, this.routes())}` : "";
    const more = chance.maybe(0.2) ? `&${this.query()}` : "";
    const all = `${query ? `&${query}` : ""}${routes}${more}`.slice(1);
    return all ? `${data}?${all}` : data;
  }

  routes = () => this.chance.pick(["", "root", "routes/account/route", "root,root", "a".repeat(4_000), this.value()]);

  query(): string {
    const { chance } = this;
    const names = Array.from({ length: 1 + chance.below(3) }, () =>
      chance.maybe(0.9)
        ? chance.pick(this.target.parameters)
        : encodeURIComponent(this.value().toWellFormed().slice(0, 500)),
    );
    return names.map((name) => `${name}=${encodeValue(chance, this.value().slice(0, 2_000))}`).join("&");
  }

  /** An address that is none. */
  oddPath(): string {
    const { chance } = this;
    const path = chance.pick(this.target.paths);
    const odd: (() => string)[] = [
      () => `/${path}`,
      () => `//${FOREIGN_SITE}${path}`,
      () => `${path}/`,
      () => `${path}//`,
      () => path.replace(/[a-z]/g, (letter) => (chance.maybe(0.4) ? `%${letter.charCodeAt(0).toString(16)}` : letter)),
      () => path.toUpperCase(),
      () => `${path}/..%2f..%2f..%2fetc%2fpasswd`,
      () => `${path}/%2e%2e/%2e%2e/package.json`,
      () => `/assets/..%2f..%2fserver%2findex.js`,
      () => `/images/${this.segment()}`,
      () => `/product/${this.segment()}`,
      () => `/product/${this.segment()}.md`,
      () => `/api/products/${this.segment()}`,
      () => `/blog/${this.segment()}`,
      () => `/api/auth/${this.segment()}`,
      () => `/${this.segment()}`,
      () => `${path}%00`,
      () => `${path}%`,
      () => `${path}%c0%ae`,
      () => `${path}%0d%0a${HEADER_MARK}:%201`,
      () => `${path};jsessionid=1`,
      () => `${path}.php`,
      () => `${path}.md`,
      () => `${path}.json`,
      () => `${path}.data.data`,
      () => `/.env`,
      () => `/.git/config`,
      () => `/__manifest?p=${encodeValue(chance, this.value().slice(0, 2_000))}&version=1`,
      () => `/__manifest?${"paths=/a,".repeat(500)}`,
      () => `/${"a/".repeat(chance.below(3_000))}`,
      () => `/${"%2e%2e%2f".repeat(300)}`,
      () => `${path}?${"&".repeat(2_000)}`,
      () => `${path}?${"a=1&".repeat(1_500)}`,
      () => `${path}?${"[".repeat(500)}=1`,
      () => `${path}#${FOREIGN_SITE}`,
      () => `http://${FOREIGN_SITE}${path}`,
      () => `*`,
      () => path.slice(1) || "x",
      () => `${path}\\..\\..`,
      () => Buffer.from(`${path}/ü😀`).toString("latin1"),
    ];
    return chance.pick(odd)();
  }
}

/** What a form that is right would hold, by the names of its fields; `own` are the attacker's own things. */
export function rightFields(own: Record<string, string>): Record<string, string> {
  return {
    email: `${PERSONAL_MARK}@example.com`,
    phone: "+1 212 555 0100",
    firstName: "Ada",
    lastName: "Lovelace",
    name: "Ada Lovelace",
    message: "Where is my order?\nThank you.",
    password: "correct horse",
    currentPassword: "correct horse",
    confirmPassword: "correct horse",
    terms: "on",
    quantity: "1",
    code: "123456",
    confirmation: "delete",
    "leave-empty": "",
    redirect: "/checkout",
    shippingFirstName: "Ada",
    shippingLastName: "Lovelace",
    shippingAddressLine1: "12 Analytical Ave",
    shippingAddressLine2: "",
    shippingCity: "New York",
    shippingState: "NY",
    shippingPostalCode: "10001",
    shippingCountry: "US",
    shippingMethod: "standard",
    billingAddressSameAsShipping: "on",
    saveInformation: "on",
    billingState: "NY",
    billingCountry: "US",
    uri: "otpauth://totp/Polara:a@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Polara",
    intent: "sign-in sign-up google take-over",
    ...own,
  };
}
