/** The shop only writes its log, so whoever keeps it deletes it: the journal of deploy/, and the operator elsewhere. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { policy } from "#shop/policies.ts";

const read = (file: string) => readFileSync(file, "utf8");

it("the journal of the shop's units deletes the security log when the privacy policy says", () => {
  expect(read("deploy/systemd/journald@polara.conf")).toContain(`\nMaxRetentionSec=${policy.securityLogDays}day\n`);
  expect(read("deploy/systemd/polara-.service.d/shop.conf")).toContain("\nLogNamespace=polara\n");
});

it("containers write to the machine's journal, whose operator is told the same number of days", () => {
  expect(read("compose.yaml")).toContain("  logging: { driver: journald }\n");
  expect(read("docs/operations.md")).toContain(`\`MaxRetentionSec=${policy.securityLogDays}day\``);
});

it("nginx records no addresses of visitors", () => {
  const servers = read("deploy/nginx.conf")
    .split(/^server \{$/m)
    .slice(1);
  expect(servers).toHaveLength(2);
  for (const server of servers) expect(server).toContain("  access_log off;\n");
});

it("the operator of another machine is told the same number of days", () => {
  expect(read("docs/operations.md")).toContain(
    `lines with \`security\` after ${policy.securityLogDays} days at the latest`,
  );
});
