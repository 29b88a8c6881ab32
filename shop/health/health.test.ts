import { expect, it } from "vitest";
import { ALERTS, alertsOf, gauges, type AlertName, type HealthState } from "./health.ts";

const well: HealthState = {
  failedEmails: 0,
  oldestJobSeconds: 3_600,
  failingChores: 0,
  waitingActions: 0,
  refusedCaptures: 2,
  ordersWithoutPage: 0,
  events: { stripe: { received: 1, missed: 3 }, paypal: { received: 0, missed: 2 } },
  webhooks: ["stripe"],
  freeDiskBytes: 2 * 1024 ** 3,
  backupSeconds: 26 * 3_600,
  isPublic: true,
};

const CASES: [why: string, change: Partial<HealthState>, alerts: AlertName[]][] = [
  ["nothing", {}, []],
  ["an email was given up", { failedEmails: 1 }, ["emails"]],
  ["a job has waited for more than an hour", { oldestJobSeconds: 3_601 }, ["jobs"]],
  ["a chore only fails", { failingChores: 1 }, ["chores"]],
  ["an order has no page to pay", { ordersWithoutPage: 1 }, ["pages"]],
  ["one capture has no answer", { waitingActions: 1 }, ["captures"]],
  ["three captures were refused", { refusedCaptures: 3 }, ["captures"]],
  ["events of a webhook are only found by asking", { webhooks: ["stripe", "paypal"] }, ["webhooks"]],
  ["a provider has had no event at all", { webhooks: ["stripe", "paypal"], events: {} }, []],
  ["events come by no webhook, and none is set up", { webhooks: [] }, []],
  ["the disk has less than 2 GB", { freeDiskBytes: 2 * 1024 ** 3 - 1 }, ["disk"]],
  ["the backup is older than a day and two hours", { backupSeconds: 26 * 3_600 + 1 }, ["backup"]],
  ["a public shop has no backup", { backupSeconds: null }, ["backup"]],
  ["a trial has no backup", { backupSeconds: null, isPublic: false }, []],
];

it.each(CASES)("%s", (_why, change, alerts) => {
  const state = { ...well, ...change };
  expect(alertsOf(state)).toEqual(alerts);
  const raised = [...gauges(state).matchAll(/^polara_alert\{name="(\w+)"\} 1$/gm)].map(([, name]) => name);
  expect(raised).toEqual(alerts);
});

it("each alert has a case", () => {
  expect(new Set(CASES.flatMap(([, , alerts]) => alerts))).toEqual(new Set(Object.keys(ALERTS)));
});

it("gauges are lines of numbers, and an unknown age has none", () => {
  const text = gauges({ ...well, backupSeconds: null });
  expect(text).toMatch(/^(?:# TYPE polara_\w+ gauge\n(?:polara_\w+(?:\{\w+="\w+"\})? \d+\n)+)+$/);
  expect(text).toContain('polara_missed_events{provider="stripe"} 3\n');
  expect(text).not.toContain("backup_age");
});
