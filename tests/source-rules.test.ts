/** What must not stand anywhere in the source of the shop. Each rule here is one that no test from outside could prove. */
import { globSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import lint from "../oxlint.config.ts";
import { adminPages, pages } from "./support/site-map.ts";

/** Text of each source file by its path, without comments; strings stay. */
const files = new Map(
  globSync("{app,shop,server,db}/**/*.{ts,tsx}")
    .filter((file) => !/\.test\.tsx?$|\.generated\.ts$/.test(file))
    .map((file) => [file, readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "")]),
);

/** The files in which something stands. */
const holding = (pattern: RegExp) => [...files].filter(([, text]) => pattern.test(text)).map(([file]) => file);

it("reads the source it speaks of", () => {
  expect(files.size).toBeGreaterThan(150);
  expect(holding(/createHash\(/).length).toBeGreaterThan(0);
});

it("no text is run as code", () => {
  expect(holding(/\beval\(|\bnew Function\(|node:vm\b|\bset(?:Timeout|Interval)\(\s*["'`]/)).toEqual([]);
});

it("one file starts programs, with arguments and no shell", () => {
  expect(holding(/child_process/)).toEqual(["db/embedded-programs.ts"]);
  expect(holding(/\bexec(?:Sync|File|FileSync)?\(\s*["'`]|\bshell:/)).toEqual([]);
});

it("raw SQL is names and numbers of our own, never what somebody sent", () => {
  // Each place was read; a new one is to be read before it comes into the list.
  expect(holding(/sql\.raw\(/).toSorted()).toEqual([
    "db/one-of.sql.ts",
    "shop/cart/cart.server.ts",
    "shop/checkout/place-order.server.ts",
    "shop/privacy/retention.server.ts",
    "shop/search/search.server.ts",
    "shop/search/search.tables.ts",
  ]);
  // A statement that is put together from text would be a template with a hole, or a sum.
  // Roles and databases take no parameters; their names are constants, and passwords are escaped.
  expect(holding(/\.query\(\s*(?:`[^`]*\$\{|["'][^"']*["']\s*\+)/)).toEqual(["db/embedded-roles.ts"]);
});

it("stock is changed in one place, and an order in the few that keep its lifecycle", () => {
  expect(holding(/UPDATE\s+stock|SET\s+inventory_count|update\(stock\)/i).toSorted()).toEqual([
    "shop/inventory/stock.server.ts",
    "shop/inventory/stock.sql.ts",
  ]);
  expect(holding(/UPDATE\s+orders\s+SET[^`]*\bstatus\s*=|update\(orders\)/i).toSorted()).toEqual([
    "shop/fulfillment/beside.server.ts",
    "shop/fulfillment/fulfill.server.ts",
    "shop/fulfillment/steps.server.ts",
    "shop/orders/cancel.server.ts",
    "shop/orders/pay-order.server.ts",
  ]);
  expect(holding(/\bcancelled\b/i)).toEqual([]);
});

it("the writes that the page's script sends for JSON are those that are answered without the router", () => {
  const listed = /ADDRESSES = \[([^\]]+)\]/.exec(files.get("server/direct-writes.ts") ?? "")?.[1] ?? "";
  const addresses = [...listed.matchAll(/"([^"]+)"/g)].map(([, address]) => address);
  const asking = holding(/isDirect: true/).map((file) =>
    file.replace(/^app\/routes\/storefront/, "").replace(/(?:\/route)?\.tsx?$/, ""),
  );
  expect(asking.toSorted()).toEqual(addresses.toSorted());
  expect(addresses).toContain("/checkout");
});

it("the payment sandbox's tables are its own", () => {
  const strangers = holding(/payment_sandbox/).filter((file) => !file.startsWith("server/payment-sandbox/"));
  expect(strangers).toEqual([]);
  expect(holding(/payment_sandbox\./).length).toBeGreaterThan(3);
});

it("markup from text is set only where the text is the shop's own", () => {
  const places = holding(/dangerouslySetInnerHTML|\.innerHTML\b|insertAdjacentHTML|document\.write/);
  for (const file of places)
    expect(file).toMatch(/\/(?:prose|static|links|shelf-life|local-time)\.tsx$|how-it-works\/route\.tsx$/);
});

it("no shopper's browser is asked for words of Intl, the first of which take it 30 ms", () => {
  const pages = holding(/\.toLocale\w*String\(|\bIntl\./).filter((file) =>
    /^app\/(?!.*(?:\/admin\/|\.server\.))/.test(file),
  );
  // Both ask for them on the server.
  expect(pages.toSorted()).toEqual(["app/routes/orders/story.ts", "app/ui/time/local-time.tsx"]);
});

it("what nobody may guess comes from the system's random numbers", () => {
  expect(holding(/Math\.random/)).toEqual([]);
});

it("only SHA-256 is used as a hash", () => {
  const hashes = [...files].flatMap(([, text]) => [
    ...text.matchAll(/(?:create(?:Hash|Hmac)|hkdf(?:Sync)?|pbkdf2(?:Sync)?)\(\s*(?:["'`]([\w-]+))?/g),
  ]);
  expect(new Set(hashes.map(([, name]) => name))).toEqual(new Set(["sha256"]));
  expect(
    holding(
      /\bmd[245]\b|\bsha-?1\b|\bripemd|subtle\.digest|\bcrypto\.hash\(|import \{[^}]*\bhash\b[^}]*\} from "node:crypto"/i,
    ),
  ).toEqual([]);
});

it("nothing is encrypted or signed by hand, and each file that makes or checks a secret was read", () => {
  expect(
    holding(
      /create(?:Cipher|Decipher|Sign|Verify|DiffieHellman|ECDH)|publicEncrypt|privateDecrypt|generateKey|crypto\.subtle|webcrypto|\baes\b|\b3?des-|\brc4\b|\becb\b|\bRSA-/i,
    ),
  ).toEqual([]);
  expect(
    holding(/from "(?:node:)?crypto"|from "jose|better-auth\/crypto|@noble\/|crypto-js|bcrypt|argon2/).toSorted(),
  ).toEqual([
    "app/entry.server.tsx",
    "app/http/content-security-policy.ts",
    "app/http/log.server.ts",
    "app/page-styles.ts",
    "app/route-manifests.ts",
    "app/session/device.server.ts",
    "app/session/guest.server.ts",
    "app/session/signature.server.ts",
    "db/copied-files.ts",
    "db/embedded-folder.ts",
    "server/app.ts",
    "server/cache/page-cache.ts",
    "server/payment-sandbox/secrets.ts",
    "server/web.ts",
    "shop/accounts/auth.server.ts",
    "shop/accounts/passwords/common-passwords.server.ts",
    "shop/accounts/passwords/password-hash.server.ts",
    "shop/accounts/passwords/reset-token.server.ts",
    "shop/accounts/second-factor/app-code.server.ts",
    "shop/accounts/second-factor/backup-codes.server.ts",
    "shop/accounts/sessions/session-tokens.server.ts",
    "shop/accounts/verification/verify-token.server.ts",
    "shop/catalog/pictures/encode-picture.server.ts",
    "shop/checkout/place-order.server.ts",
    "shop/orders/claim.server.ts",
    "shop/orders/order-link.server.ts",
    "shop/payments/page/return-link.server.ts",
    "shop/privacy/email-hash.server.ts",
    "shop/purpose-key.server.ts",
    "shop/rate-limits/rate-limits.server.ts",
    "shop/staff/invitations.server.ts",
    "shop/staff/sessions.server.ts",
    "shop/support/contact.server.ts",
    "shop/waitlist/invitation-code.server.ts",
    "shop/waitlist/unsubscribe.server.ts",
    "shop/waitlist/waitlist.server.ts",
  ]);
});

it("comparisons know the kind of what they compare", () => {
  expect(holding(/[^=!<>]==[^=]|!=[^=]/)).toEqual([]);
});

it("no pattern is made from what somebody sent", () => {
  expect(holding(/new RegExp\(/)).toEqual(["server/cache/page-cache.ts", "app/lean-framework.ts"]);
});

it("a browser keeps no more than what the privacy policy names", () => {
  const names = [...files].flatMap(([, text]) =>
    [...text.matchAll(/["'`](polara:[\w-]+)["'`]/g)].map(([, name]) => name),
  );
  expect(new Set(names)).toEqual(
    new Set(["polara:hearts", "polara:waitlist", "polara:search-key", "polara:signed-in"]),
  );
  expect(holding(/sessionStorage|indexedDB|\bcaches\.open|document\.cookie|serviceWorker/)).toEqual([]);
});

it("no message is taken from another window, and no socket is open", () => {
  expect(holding(/postMessage|addEventListener\(\s*["']message["']|new WebSocket|upgradeWebSocket/)).toEqual([]);
});

it("passwords are typed unseen, and neither pasting nor a password manager is hindered", () => {
  const fields = [...files].flatMap(([file, text]) =>
    [...text.matchAll(/<TextField\b(?:=>|[^>])*?\/>/g)].map(([field]) => ({ file, field })),
  );
  const passwords = fields.filter(({ field }) => /[pP]assword["}(.)]/.test(field) && !/username/.test(field));
  expect(passwords.length).toBeGreaterThanOrEqual(6);
  for (const { file, field } of passwords) {
    expect(field, file).toMatch(/autoComplete="(?:current|new)-password"/);
    expect(field, file).toContain('type="password"');
  }
  expect(holding(/onPaste|onDrop\b|onContextMenu/)).toEqual([]);
});

it("what is typed into a form goes in its body, but for a search and a filter", () => {
  const byAddress = [...files].flatMap(([file, text]) =>
    [...text.matchAll(/<(?:\w+\.)?[fF]orm\b(?:=>|[^>])*>/g)]
      .filter(([tag]) => !/method="(?:post|dialog)"/.test(tag))
      .map(() => file),
  );
  // The lists of the back office are filtered by their address.
  for (const file of byAddress) expect(file).toMatch(/search|filter|compare|routes\/admin\//);
});

it("no key or password stands in the source", () => {
  const secret = /(?:secret|password|api_?key|token)["']?\s*[:=]\s*["'`][A-Za-z0-9+/_-]{16,}["'`]/i;
  expect(holding(secret)).toEqual([]);
  expect(holding(/-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:AKIA|sk_live_|ghp_)\w{10,}/)).toEqual([]);
});

it("types are strict", () => {
  expect(JSON.parse(readFileSync("tsconfig.json", "utf8"))).toMatchObject({
    compilerOptions: { strict: true, noUncheckedIndexedAccess: true },
  });
});

it("no file cites a document that is not in the project", () => {
  const cited =
    /\b(?:SPEC|DESIGN|BUSINESS)\b|\b(?:LOOK|STACK|EXAMPLES)(?:\.md\b| section\b| §| \d)|\b[Tt]he (?:product's )?spec(?:ification)?\b/;
  const places = globSync(
    "{*.md,*.ts,{app,shop,server,db,tests,bench,scripts,docs,art}/**/*.{ts,tsx,mjs,css,sql,mdx,md,py}}",
  )
    .filter((file) => file !== "tests/source-rules.test.ts")
    .filter((file) => cited.test(readFileSync(file, "utf8")));
  expect(places).toEqual([]);
});

it("each concept of the shop has its line in the table of who may import whom", () => {
  const folders = readdirSync("shop", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const ruled = lint.overrides?.flatMap(({ files }) => files) ?? [];
  for (const { name } of folders) if (name !== "privacy") expect(ruled).toContain(`shop/${name}/**`);
});

it("a form that a script may send ends in the shop's words, whoever answers it", () => {
  // These are sent as documents only: by a link in an email, for a file, to end the session, and to go on elsewhere.
  const documents = ["/orders/claim", "/orders/:orderId", "/account/download", "/auth/sign-out", "/admin/join"];
  // Sent by its own dialog, which asks isResult itself, and after a flash message, when nobody waits for an answer.
  const ownScript = ["/waitlist/join", "/personal"];
  const actions = pages.filter(({ hasAction, path }) => hasAction && ![...documents, ...ownScript].includes(path));
  expect(actions.length).toBeGreaterThan(10);
  for (const { file } of actions) expect(files.get(file), file).toMatch(/\bclientAction\b[\s\S]*\bwriteToShop[<(]/);
  const inDocuments = [
    "/admin/sign-out",
    "/admin/privacy/:requestId/file",
    "/admin/products/preview",
    "/admin/waitlist/export",
  ];
  const acts = adminPages.filter(({ hasAction, path }) => hasAction && !inDocuments.includes(path));
  for (const { file } of acts) expect(files.get(file), file).toContain("export const clientAction = actInBrowser;");
});

it("fields are checked by the shop's messages, not by the browser's", () => {
  const forms = [...files].flatMap(([file, text]) =>
    [...text.matchAll(/<([fF]orm)\b((?:=>|[^>])*)>([\s\S]*?)<\/\1>/g)].map(([, , head = "", body = ""]) => ({
      file,
      head,
      body,
    })),
  );
  const typedInto = forms.filter(({ body }) =>
    /<(?:TextField|TextArea|PasswordFields|CodeField|ProofFields)\b/.test(body),
  );
  expect(typedInto.length).toBeGreaterThan(8);
  for (const { file, head } of typedInto) expect(head, file).toMatch(/noValidate|getFormProps\(/);
});
