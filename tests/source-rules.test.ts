/** Rules of the source that no test of its behavior could prove. */
import { globSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";
import lint from "../oxlint.config.ts";
import { adminPages, pages } from "./support/site-map.ts";

/** Text of each source file by its path, without comments; strings stay. */
const files = new Map(
  globSync("{app,platform,shop,server,sandboxes,db}/**/*.{ts,tsx}")
    .filter((file) => !/\.test\.tsx?$|\.generated\.ts$/.test(file))
    .map((file) => [file, readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "")]),
);

/** Files that match. */
const holding = (pattern: RegExp) => [...files].filter(([, text]) => pattern.test(text)).map(([file]) => file);

it("reads the source", () => {
  expect(files.size).toBeGreaterThan(150);
  expect(holding(/createHash\(/).length).toBeGreaterThan(0);
});

/** The folder whose files import each other by relative paths. */
const room = (file: string) =>
  /^(?:shop\/[\w-]+(?=\/)|app\/(?:routes|ui)(?:\/[\w-]+(?=\/))?|app\/[\w-]+(?=\/)|\w+)/.exec(file)?.[0];

it("far imports begin with #", () => {
  const far = [...files].flatMap(([file, text]) =>
    [...text.matchAll(/(?:from|import|import\() ?"(\.\.[^"]+)"/g)]
      .map(([, path = ""]) => posix.join(posix.dirname(file), path))
      .filter((target) => room(target) !== room(file) && !target.includes("+types"))
      .map((target) => `${file} imports ${target}`),
  );
  expect(far).toEqual([]);
});

/** Patterns and the only files that may have them. Each of these files was read; a new one is to be read first. */
const ONLY_IN: [rule: string, pattern: RegExp, files: string[]][] = [
  ["no text is run as code", /\beval\(|\bnew Function\(|node:vm\b|\bset(?:Timeout|Interval)\(\s*["'`]/, []],
  ["one file starts programs, with arguments and no shell", /child_process/, ["db/embedded-folder.ts"]],
  [
    "a body is read where it is counted first",
    /\.formData\(\)|\b(?:request|req|raw)\.(?:text|json|blob|bytes|arrayBuffer)\(\)|\bparseBody\(|parseMultipart|incoming\.on\(/,
    [
      "app/http/form.server.ts",
      // In the sandboxes: behind the limit of every form, or on this machine alone.
      "sandboxes/google/provider.ts",
      "sandboxes/paypal/page.ts",
      "sandboxes/stripe/api.ts",
      "sandboxes/stripe/control.ts",
      "sandboxes/stripe/page.ts",
      "server/read-body.ts",
      "server/webhooks.ts",
    ],
  ],
  ["no file uses a shell", /\bexec(?:Sync|File|FileSync)?\(\s*["'`]|\bshell:/, []],
  [
    "raw SQL has no user input",
    /sql\.raw\(/,
    [
      "db/one-of.sql.ts",
      "shop/cart/cart.server.ts",
      "shop/orders/facts.server.ts",
      "shop/privacy/retention.server.ts",
      "shop/search/search.tables.ts",
    ],
  ],
  // Roles and databases take no parameters; their names are constants, and passwords are escaped.
  ["no statement is put together from text", /\.query\(\s*(?:`[^`]*\$\{|["'][^"']*["']\s*\+)/, ["db/embedded.ts"]],
  [
    "stock is changed in one place",
    /UPDATE\s+stock|SET\s+inventory_count|update\(stock\)/i,
    ["shop/inventory/stock.server.ts"],
  ],
  [
    "an order's stage is written with its summary",
    /UPDATE\s+orders\s+SET[^`]*\bstage\s*=|update\(orders\)/i,
    ["shop/fulfillment/order-notes.server.ts", "shop/orders/write-change.server.ts"],
  ],
  [
    "a number of things is put in words by counted(), which knows the singular",
    /(?<! of )\$\{(?![A-Z_]+\})[^{}]+\} (?:people|orders|messages|emails|pictures|items|units|signups|customers|replies|labels)\b/,
    // A threshold of the law, never one.
    ["shop/tax/nexus.ts"],
  ],
  [
    "a link that loads its page ahead does not do so offline",
    /\b(?:Nav)?Link\b[^}]*\} from "react-router";[\s\S]*\bprefetch=/,
    ["app/ui/chrome/link.tsx"],
  ],
  ["'canceled' has one l", /\bcancelled\b/i, []],
  ["random numbers come from the system", /Math\.random/, []],
  [
    "no hash but SHA-256 is used",
    /\bmd[245]\b|\bsha-?1\b|\bripemd|subtle\.digest|\bcrypto\.hash\(|import \{[^}]*\bhash\b[^}]*\} from "node:crypto"/i,
    [],
  ],
  // The sandbox of Google has keys of the library's.
  [
    "nothing is encrypted or signed by hand",
    /create(?:Cipher|Decipher|Sign|Verify|DiffieHellman|ECDH)|publicEncrypt|privateDecrypt|generateKey|crypto\.subtle|webcrypto|\baes\b|\b3?des-|\brc4\b|\becb\b|\bRSA-/i,
    ["sandboxes/google/provider.ts"],
  ],
  [
    "each file that makes or checks a secret was read",
    /from "(?:node:)?crypto"|from "jose|better-auth\/crypto|@noble\/|crypto-js|bcrypt|argon2/,
    [
      "app/entry.server.tsx",
      "app/session/cookies.server.ts",
      "db/embedded-folder.ts",
      "db/restore.ts",
      "platform/content-security-policy.ts",
      "platform/environment.ts",
      "platform/log.server.ts",
      "sandboxes/easypost/start.ts",
      "sandboxes/google/provider.ts",
      "sandboxes/stripe/secrets.ts",
      "server/app.ts",
      "server/cache/page-cache.ts",
      "shop/accounts/auth.server.ts",
      "shop/accounts/email-links.server.ts",
      "shop/accounts/passwords/password-hash.server.ts",
      "shop/accounts/passwords/password-rules.server.ts",
      "shop/accounts/second-factor.server.ts",
      "shop/accounts/sign-in-hooks.server.ts",
      "shop/carriers/easypost.server.ts",
      "shop/catalog/pictures/encode-picture.server.ts",
      "shop/checkout/checkout-lines.server.ts",
      "shop/checkout/write-order.server.ts",
      "shop/payments/return-link.server.ts",
      "shop/purpose-key.server.ts",
      "shop/rate-limits/rate-limits.server.ts",
      "shop/returns/request.server.ts",
      "shop/staff/invitations.server.ts",
      "shop/staff/sessions.server.ts",
      "shop/support/contact.server.ts",
      "shop/support/inbox/mail-signature.server.ts",
      "shop/support/inbox/mail-thread.ts",
      "shop/waitlist/invitations.server.ts",
      "shop/waitlist/waitlist.server.ts",
    ],
  ],
  [
    "the time is the shop's clock, except for better-auth and one-time codes, and in a sandbox that is given it",
    /new Date\(\)|Date\.now\(\)/,
    [
      "sandboxes/easypost/start.ts",
      "sandboxes/stripe/start.ts",
      "shop/accounts/auth.server.ts",
      "shop/accounts/email-links.server.ts",
      "shop/accounts/second-factor.server.ts",
      "shop/accounts/sessions.server.ts",
      "shop/accounts/sign-in-hooks.server.ts",
      "shop/clock.ts",
    ],
  ],
  [
    "the time of writing is written by the statement, except that of accounts and sessions",
    /defaultNow\(/,
    ["db/columns.ts", "shop/accounts/account.tables.ts", "shop/staff/staff.tables.ts"],
  ],
  ["the shop's own addresses are read from its settings", /@polara\.example/, ["shop/policies.ts"]],
  ["equality is strict", /[^=!<>]==[^=]|!=[^=]/, []],
  ["no regular expression is made from user input", /new RegExp\(/, ["server/cache/page-cache.ts"]],
  [
    "no other storage of the browser is used",
    /sessionStorage|indexedDB|\bcaches\.open|document\.cookie|serviceWorker/,
    [],
  ],
  [
    "no message is taken from another window, and no socket is open; the thread that reads emails posts what it read",
    /postMessage|addEventListener\(\s*["']message["']|new WebSocket|upgradeWebSocket/,
    ["shop/support/inbox/mail-thread.ts"],
  ],
  [
    "emails are queued in one place",
    /INSERT\s+INTO\s+pgboss|enqueue_email\(\$|\b(?:boss|pgBoss)\.(?:send|insert|publish)\w*\(/i,
    // The worker queues its chores.
    ["server/worker.ts", "shop/mail/enqueue-email.server.ts"],
  ],
  [
    "permits to send emails are made in one place",
    /as (?:unknown as )?MailPermit/,
    ["shop/mail/enqueue-email.server.ts"],
  ],
  [
    "emails are sent in one place",
    /sendMail\(|into?\(mailboxMessages|insert\(mailboxMessages/,
    ["shop/mail/outbox.server.ts"],
  ],
  [
    "emails are counted with other limits by orders only",
    /consumeWithMail\b/,
    ["shop/checkout/place-order.server.ts", "shop/mail/enqueue-email.server.ts"],
  ],
  [
    "emails about an order are sent by its events",
    /ORDER_STEP_PERMIT/,
    [
      "shop/fulfillment/locked-order.server.ts",
      "shop/mail/enqueue-email.server.ts",
      "shop/orders/write-change.server.ts",
      "shop/payments/locked-payments.server.ts",
      "shop/payments/reconcile.server.ts",
    ],
  ],
  ["pasting is never prevented", /onPaste|onDrop\b|onContextMenu/, ["app/routes/admin/products/pictures.tsx"]],
  [
    "no key or password is in the source",
    /(?:secret|password|api_?key|token)["']?\s*[:=]\s*["'`][A-Za-z0-9+/_-]{16,}["'`]/i,
    [],
  ],
  ["no private key is in the source", /-----BEGIN [A-Z ]*PRIVATE KEY-----|\b(?:AKIA|sk_live_|ghp_)\w{10,}/, []],
];

it.each(ONLY_IN)("%s", (_rule, pattern, files) => {
  expect(holding(pattern).toSorted()).toEqual(files);
});

it("only a sandbox uses its tables", () => {
  const strangers = holding(/(?:payment|carrier)_sandbox/).filter((file) => !file.startsWith("sandboxes/"));
  expect(strangers).toEqual([]);
  expect(holding(/#sandboxes\//)).toEqual(["server/carriers.ts", "server/google.ts", "server/payments.ts"]);
  expect(holding(/payment_sandbox\./).length).toBeGreaterThan(3);
});

it("only the shop's own texts are set as markup", () => {
  const places = holding(/dangerouslySetInnerHTML|\.innerHTML\b|insertAdjacentHTML|document\.write/);
  for (const file of places) expect(file).toMatch(/\/(?:prose|shelf-life)\.tsx$|how-it-works\/route\.tsx$/);
});

it("every hash is SHA-256", () => {
  const hashes = [...files].flatMap(([, text]) => [
    ...text.matchAll(/(?:create(?:Hash|Hmac)|hkdf(?:Sync)?|pbkdf2(?:Sync)?)\(\s*(?:["'`]([\w-]+))?/g),
  ]);
  expect(new Set(hashes.map(([, name]) => name))).toEqual(new Set(["sha256"]));
});

it("a browser stores only what the privacy policy names", () => {
  const names = [...files].flatMap(([, text]) =>
    [...text.matchAll(/["'`](polara:[\w-]+)["'`]/g)].map(([, name]) => name),
  );
  expect(new Set(names)).toEqual(new Set(["polara:hearts", "polara:waitlist", "polara:signed-in"]));
});

it("password fields hide what is typed and work with password managers", () => {
  const fields = [...files].flatMap(([file, text]) =>
    [...text.matchAll(/<TextField\b(?:=>|[^>])*?\/>/g)].map(([field]) => ({ file, field })),
  );
  const passwords = fields.filter(({ field }) => /[pP]assword["}(.)]/.test(field) && !/username/.test(field));
  expect(passwords.length).toBeGreaterThanOrEqual(6);
  for (const { file, field } of passwords) {
    expect(field, file).toMatch(/autoComplete="(?:current|new)-password"/);
    expect(field, file).toContain('type="password"');
  }
});

/** Form posts, and shows the shop's own messages. */
const usesForm = (file: string) =>
  /\bForm\b[^}]*\} from "(?:#app\/ui\/form|\.)\/form\.tsx"/.test(files.get(file) ?? "");
const otherForms = () => [...files].filter(([file]) => !usesForm(file));

it("forms are posted, except searches and filters", () => {
  const byAddress = otherForms().flatMap(([file, text]) =>
    [...text.matchAll(/<(?:\w+\.)?[fF]orm\b(?:=>|[^>])*>/g)]
      .filter(([tag]) => !/method="(?:post|dialog)"/.test(tag))
      .map(() => file),
  );
  // The lists of the back office are filtered by their address.
  for (const file of byAddress) expect(file).toMatch(/search|filter|featured-products|routes\/admin\//);
});

it("types are strict", () => {
  expect(JSON.parse(readFileSync("tsconfig.json", "utf8"))).toMatchObject({
    compilerOptions: { strict: true, noUncheckedIndexedAccess: true },
  });
});

it("no file cites a document outside the project", () => {
  const cited =
    /\b(?:SPEC|DESIGN|BUSINESS)\b|\b(?:LOOK|STACK|EXAMPLES)(?:\.md\b| section\b| §| \d)|\b[Tt]he (?:product's )?spec(?:ification)?\b/;
  const places = globSync(
    "{*.md,*.ts,{app,platform,shop,server,db,tests,bench,scripts,docs,art}/**/*.{ts,tsx,mjs,css,sql,mdx,md,py}}",
  )
    .filter((file) => file !== "tests/source-rules.test.ts")
    .filter((file) => cited.test(readFileSync(file, "utf8")));
  expect(places).toEqual([]);
});

it("each folder of shop/ has its allowed imports", () => {
  const folders = readdirSync("shop", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const ruled = lint.overrides?.flatMap(({ files }) => files) ?? [];
  for (const { name } of folders) if (name !== "privacy") expect(ruled).toContain(`shop/${name}/**`);
});

it("actions called by scripts share one clientAction, and reload pages of the back office after a refusal", () => {
  // Called by documents only: by a link in an email, for a file, and to end the session.
  const documents = ["/account/download", "/auth/sign-out"];
  // Called after a flash message, when nobody waits for an answer.
  const unanswered = ["/personal"];
  const actions = pages.filter(({ hasAction, path }) => hasAction && ![...documents, ...unanswered].includes(path));
  expect(actions.length).toBeGreaterThan(10);
  const shared = /export \{ clientAction \} from "#app\/ui\/form\/client-action\.ts";/;
  for (const { file } of actions) expect(files.get(file), file).toMatch(shared);
  const inDocuments = [
    "/admin/sign-out",
    "/admin/legal/:requestId/file",
    "/admin/products/preview",
    "/admin/texts/:key/preview",
    "/admin/waitlist/export",
    "/admin/letters/consents",
    "/admin/orders/export",
    "/admin/tax/export",
  ];
  const adminActions = adminPages.filter(({ hasAction, path }) => hasAction && !inDocuments.includes(path));
  for (const { file } of adminActions) expect(files.get(file), file).toMatch(shared);
  // Signing in and joining show nothing that a colleague could change.
  const pagesOfStaff = adminActions.filter(({ path }) => path !== "/admin/sign-in" && path !== "/admin/join");
  const revalidates = /export \{ shouldRevalidate \} from "(\.\.\/)+revalidate\.ts";/;
  for (const { file } of pagesOfStaff) expect(files.get(file), file).toMatch(revalidates);
});

it("forms with fields show the shop's messages, not the browser's", () => {
  const forms = otherForms().flatMap(([file, text]) =>
    [...text.matchAll(/<([fF]orm)\b((?:=>|[^>])*)>([\s\S]*?)<\/\1>/g)].map(([, , head = "", body = ""]) => ({
      file,
      head,
      body,
    })),
  );
  const typedInto = forms.filter(({ body }) =>
    /<(?:TextField|TextArea|PasswordFields|CodeField|ProofFields)\b/.test(body),
  );
  for (const { file, head } of typedInto) expect(head, file).toMatch(/noValidate|getFormProps\(/);
});
