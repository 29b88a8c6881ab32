/** Configuration for unit tests. */
import { provideConfig } from "#platform/config.server.ts";

provideConfig({
  baseUrl: "http://localhost:3000",
  secret: "a secret that only tests know, and long enough",
  formerSecrets: [],
  databaseUrl: "postgres://nobody@localhost:1/none",
  smtpUrl: null,
  isMailboxOpen: false,
  inbox: null,
  google: null,
  payments: null,
  payPal: null,
  hasTax: false,
  carriers: null,
  pictures: { folder: ".data/pictures" },
  rateLimitScale: 1,
  trustProxy: null,
  poolSize: 10,
  watched: { folder: ".", isPublic: false, webhooks: [] },
  clockOffsetMs: 0,
});
