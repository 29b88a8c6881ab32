import { defineConfig } from "oxlint";

/** Allowed imports between concepts of shop/. All may import `settings`; `privacy` and the registry of emails may import all. */
const CONCEPTS: Record<string, string[]> = {
  audit: [],
  settings: ["audit"],
  catalog: ["audit"],
  content: ["audit", "catalog"],
  shipping: [],
  "rate-limits": [],
  inventory: ["accounts", "catalog", "audit"],
  wishlist: ["catalog"],
  search: ["catalog", "content"],
  mail: ["rate-limits", "audit", "content"],
  accounts: ["mail", "rate-limits"],
  staff: ["accounts", "audit", "mail"],
  support: ["mail", "rate-limits", "orders", "returns", "staff", "accounts", "audit"],
  waitlist: ["accounts", "catalog", "mail", "rate-limits", "audit"],
  letters: ["catalog", "content", "consents", "waitlist", "mail", "audit"],
  consents: ["catalog", "waitlist", "mail", "rate-limits"],
  analytics: ["orders"],
  discounts: ["catalog", "mail", "audit"],
  cart: ["catalog", "inventory", "shipping", "discounts"],
  orders: ["catalog", "inventory", "shipping", "cart", "mail"],
  payments: ["catalog", "inventory", "shipping", "cart", "orders", "mail", "rate-limits"],
  fulfillment: [
    "catalog",
    "cart",
    "inventory",
    "shipping",
    "orders",
    "payments",
    "tax",
    "mail",
    "rate-limits",
    "staff",
    "audit",
  ],
  carriers: ["catalog", "shipping", "orders", "payments", "fulfillment", "audit"],
  tax: ["catalog", "shipping", "cart", "orders", "payments", "rate-limits", "audit"],
  returns: ["catalog", "inventory", "shipping", "orders", "payments", "fulfillment", "tax", "mail", "staff", "audit"],
  checkout: [
    "accounts",
    "audit",
    "staff",
    "catalog",
    "inventory",
    "shipping",
    "discounts",
    "cart",
    "orders",
    "payments",
    "tax",
    "mail",
    "rate-limits",
  ],
  customers: ["orders", "audit"],
  health: ["mail", "staff"],
  "go-live": ["catalog", "payments", "tax", "carriers", "mail", "audit"],
  discovery: ["catalog", "content", "shipping", "cart"],
};

type Pattern = ({ regex: string } | { group: string[] }) & { message: string };

const restrict = (files: string[], patterns: Pattern[]) => ({
  files,
  excludeFiles: ["**/*.test.ts", "**/*.test.tsx"],
  rules: { "no-restricted-imports": ["error", { patterns }] as ["error", { patterns: Pattern[] }] },
});

const NO_SCREENS: Pattern = {
  regex: "^#(app|platform|server|sandboxes|scripts|tests)/|^(react-router|hono|@hono|@react-router)(/|$)",
  message: "shop/ must not import screens or HTTP.",
};
const NOT_ABOVE: Pattern = {
  regex: "^#shop/(privacy/|emails\\.server)",
  message: "No concept may import shop/privacy or the email registry, which import all of them.",
};

/** Forbidden imports of a concept. Tables are the one exception: they refer to each other, and the reader of an order to all of its. */
const concept = ([name, allowed]: [string, string[]]) => {
  const known = [name, "settings", ...allowed];
  const others = Object.keys(CONCEPTS).filter((other) => !known.includes(other));
  return restrict(
    [`shop/${name}/**`],
    [
      NO_SCREENS,
      NOT_ABOVE,
      {
        group: [...others.map((other) => `#shop/${other}/**`), "!**/*.tables.ts"],
        message: `shop/${name} may import ${allowed.join(", ") || "no other concept"}.`,
      },
    ],
  );
};

export default defineConfig({
  plugins: ["typescript", "unicorn", "oxc", "react", "jsx-a11y", "import", "node"],
  categories: { correctness: "error" },
  env: { builtin: true },
  ignorePatterns: ["build", ".react-router", "node_modules", "**/*.generated.ts", "art/*.py"],
  rules: {
    "typescript/no-floating-promises": "error",
    "typescript/no-explicit-any": "error",
    "typescript/unbound-method": "off",
    "typescript/require-array-sort-compare": "off",
    "typescript/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
    "import/no-cycle": "error",
    "jsx-a11y/prefer-tag-over-role": "off",
    "jsx-a11y/no-noninteractive-tabindex": "off",
    "jsx-a11y/no-noninteractive-element-interactions": "off",
    "jsx-a11y/click-events-have-key-events": "off",
    "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
    "max-lines-per-function": ["error", { max: 140, skipBlankLines: true, skipComments: true }],
  },
  overrides: [
    {
      files: ["app/**", "platform/**", "shop/**", "server/**", "sandboxes/**", "db/**"],
      excludeFiles: ["**/*.test.ts"],
      rules: { "no-console": "error", "node/no-process-env": "error" },
    },
    { files: ["app/ui/feedback/error-page.tsx", "server/start.ts"], rules: { "no-console": "off" } },
    { files: ["platform/environment.ts"], rules: { "node/no-process-env": "off" } },
    {
      files: ["**/*.test.ts", "**/*.test.tsx", "shop/catalog/opening-catalog.ts", "shop/content/**"],
      rules: { "max-lines": "off", "max-lines-per-function": "off" },
    },
    { files: ["tests/**", "bench/**", "art/**"], rules: { "max-lines-per-function": "off" } },
    restrict(["shop/**"], [NO_SCREENS]),
    ...Object.entries(CONCEPTS).map(concept),
    restrict(
      ["db/**"],
      [{ regex: "^#(app|platform|server|shop|scripts|tests)/", message: "db/ must not import the code that uses it." }],
    ),
    restrict(
      ["platform/**"],
      [
        {
          regex: "^#(app|server|scripts|tests)/",
          message: "platform/ must not import app/ or server/, which depend on it.",
        },
      ],
    ),
    restrict(
      ["app/**"],
      [{ regex: "^#(server|scripts|tests)/", message: "app/ must not import server/, which depends on it." }],
    ),
    restrict(
      ["server/**"],
      [
        { regex: "^#(scripts|tests)/", message: "The server must not depend on scripts or tests." },
        { regex: "^#app/(ui|routes)/", message: "server/ must not import screens; the router loads them." },
      ],
    ),
    restrict(
      ["sandboxes/**"],
      [
        {
          regex: "^#(app|platform|server|db|scripts|tests)/|^#shop/.*/",
          message: "A sandbox stands in for an external service and may import only the brand.",
        },
      ],
    ),
    restrict(
      ["app/ui/**"],
      [
        {
          regex: "\\.server\\.tsx?$|\\.(tables|sql)\\.ts$|^#(db|server|scripts|tests)/",
          message: "app/ui may import only files that run in the browser.",
        },
        { regex: "^#app/routes/", message: "app/ui must not import routes, which share it." },
      ],
    ),
    restrict(
      ["app/http/**", "app/session/**"],
      [
        { regex: "^#(server|scripts|tests)/", message: "app/ must not import server/, which depends on it." },
        { regex: "^#app/routes/", message: "app/http and app/session must not import routes, which share them." },
      ],
    ),
  ],
});
