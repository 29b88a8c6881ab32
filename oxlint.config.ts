import { defineConfig } from "oxlint";

/** Which concepts of the shop each concept may import. `privacy` and the emails' registry stand on top of all. */
const CONCEPTS: Record<string, string[]> = {
  catalog: ["staff"],
  content: [],
  shipping: [],
  "rate-limits": [],
  inventory: ["accounts", "catalog", "staff"],
  wishlist: ["catalog"],
  search: ["catalog", "content"],
  mail: ["rate-limits"],
  accounts: ["mail", "rate-limits"],
  staff: ["accounts", "mail"],
  support: ["mail", "rate-limits", "orders", "staff", "accounts"],
  waitlist: ["accounts", "mail", "rate-limits", "staff"],
  numbers: [],
  cart: ["catalog", "inventory", "shipping"],
  orders: ["catalog", "inventory", "shipping", "cart", "mail"],
  payments: ["catalog", "inventory", "shipping", "cart", "orders", "mail", "rate-limits"],
  fulfillment: ["catalog", "inventory", "shipping", "orders", "payments", "mail", "staff"],
  checkout: ["accounts", "catalog", "inventory", "shipping", "cart", "orders", "payments", "mail", "rate-limits"],
  discovery: ["catalog", "content", "shipping", "cart"],
};

type Pattern = ({ regex: string } | { group: string[] }) & { message: string };

const restrict = (files: string[], patterns: Pattern[]) => ({
  files,
  excludeFiles: ["**/*.test.ts", "**/*.test.tsx"],
  rules: { "no-restricted-imports": ["error", { patterns }] as ["error", { patterns: Pattern[] }] },
});

const NO_SCREENS: Pattern = {
  regex: "(^|/)(app|server|scripts|tests)/|^(react-router|hono|@hono|@react-router)(/|$)",
  message: "shop/ knows no screens and no HTTP.",
};
const NOT_ABOVE: Pattern = {
  regex: "^(\\.\\./)+(privacy/|emails\\.server)",
  message: "privacy and the registry of emails stand on top: nothing in shop/ imports them.",
};

/** A concept and what it must not import. Foreign keys to users and products are the one exception. */
const concept = ([name, allowed]: [string, string[]]) => {
  const others = Object.keys(CONCEPTS).filter((other) => other !== name && !allowed.includes(other));
  return restrict(
    [`shop/${name}/**`],
    [
      NO_SCREENS,
      NOT_ABOVE,
      {
        group: [...others.map((other) => `../**/${other}/**`), "!**/account.tables.ts", "!**/product.tables.ts"],
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
      files: ["app/**", "shop/**", "server/**", "db/**"],
      excludeFiles: ["**/*.test.ts"],
      rules: { "no-console": "error", "node/no-process-env": "error" },
    },
    { files: ["app/ui/feedback/error-page.tsx", "server/web.ts"], rules: { "no-console": "off" } },
    { files: ["server/config.ts"], rules: { "node/no-process-env": "off" } },
    {
      files: ["**/*.test.ts", "**/*.test.tsx", "shop/catalog/opening-catalog.ts", "shop/content/**"],
      rules: { "max-lines": "off", "max-lines-per-function": "off" },
    },
    { files: ["tests/**", "bench/**", "art/**"], rules: { "max-lines-per-function": "off" } },
    restrict(["shop/**"], [NO_SCREENS]),
    ...Object.entries(CONCEPTS).map(concept),
    restrict(
      ["db/**"],
      [{ regex: "(^|/)(app|server|shop|scripts|tests)/", message: "db/ knows nothing of what is kept in it." }],
    ),
    restrict(
      ["app/**"],
      [{ regex: "(^|/)(server|scripts|tests)/", message: "server/ may import app/, never the reverse." }],
    ),
    restrict(
      ["server/**"],
      [
        { regex: "(^|/)(scripts|tests)/", message: "The server runs without them." },
        { regex: "app/(ui|routes)/", message: "server/ needs no screen: the router brings them." },
      ],
    ),
    restrict(
      ["server/payment-sandbox/**"],
      [
        { regex: "(^|/)(app|scripts|tests)/", message: "The payment sandbox runs beside any shop." },
        {
          group: ["**/shop/*/**"],
          message: "The payment sandbox stands for somebody else's service: of the shop it knows the name.",
        },
      ],
    ),
    restrict(
      ["app/ui/**"],
      [
        {
          regex: "\\.server\\.tsx?$|\\.(tables|sql)\\.ts$|(^|/)(db|server|scripts|tests)/",
          message: "app/ui imports only pure files.",
        },
        { regex: "/routes/", message: "A piece that two screens share knows neither of them." },
      ],
    ),
    restrict(
      ["app/http/**", "app/session/**"],
      [
        { regex: "(^|/)(server|scripts|tests)/", message: "server/ may import app/, never the reverse." },
        { regex: "/routes/", message: "What every route shares knows none of them." },
      ],
    ),
  ],
});
