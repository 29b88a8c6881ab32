/** Loaders of the account tabs; only the open tab is read. */
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { cardOf } from "#shop/catalog/shown-product.ts";
import { countUnshipped } from "#shop/privacy/erase-account.server.ts";
import { openRequestsOf } from "#shop/privacy/requests.server.ts";
import { deviceName, listSessions, proofOf } from "#shop/accounts/sessions.server.ts";
import { getProfile } from "#shop/accounts/customers.server.ts";
import { listOrders, listRecentOrders, ordersAbout } from "#shop/orders/history.server.ts";
import { policyWords } from "#shop/settings/settings.server.ts";
import { isStaff } from "#shop/staff/staff.server.ts";
import { joinPathOf } from "#shop/staff/invitations.server.ts";
import { listStaffSessions } from "#shop/staff/sessions.server.ts";
import { listOpenConsents } from "#shop/consents/consents.server.ts";
import { getPlace } from "#shop/waitlist/waitlist.server.ts";
import { listWishlist } from "#shop/wishlist/wishlist.server.ts";
import type { Customer } from "#app/session/customer.server.ts";
import type { TabId } from "./tabs.ts";

const MAX_PAGES = 1_000;

function pageOf(query: URLSearchParams): number {
  const page = Number(query.get("page"));
  return Number.isInteger(page) && page >= 1 && page <= MAX_PAGES ? page : 1;
}

const MAX_PICTURES = 3;

async function loadDashboard(customer: Customer) {
  const orders = await listRecentOrders(db, customer);
  const recentOrders = orders.map(({ items, ...order }) => ({
    ...order,
    pictures: items.map(({ thumbnail }) => thumbnail ?? "").slice(0, MAX_PICTURES),
  }));
  const { filterMonths, warrantyYearsAdjective, returnDays } = policyWords();
  return { tab: "dashboard" as const, recentOrders, terms: { filterMonths, warrantyYearsAdjective, returnDays } };
}

async function loadOrders(customer: Customer, query: URLSearchParams) {
  const page = pageOf(query);
  return { tab: "orders" as const, page, ...(await listOrders(db, customer, page)) };
}

async function loadWishlist(customer: Customer) {
  return { tab: "wishlist" as const, products: (await listWishlist(db, customer.id)).map(cardOf) };
}

async function loadSettings(customer: Customer) {
  const [proof, devices, staffSessions, place, consents, requests, unshipped, onTeam, joinPath] = await Promise.all([
    proofOf(db, customer),
    listSessions(db, customer.id),
    listStaffSessions(db, customer.id),
    getPlace(db, customer.id),
    customer.emailVerified ? listOpenConsents(db, customer.email) : [],
    customer.emailVerified ? openRequestsOf(db, customer.email) : [],
    countUnshipped(db, ordersAbout(customer)),
    isStaff(db, customer.id),
    customer.hasSecondFactor ? joinPathOf(db, customer.email, config().secret) : null,
  ]);
  const { sessionId, hasSecondFactor } = customer;
  /** `session` is null for this device, which cannot be signed out here. */
  const shown = devices.map(({ id, ...device }) => ({ ...device, session: id === sessionId ? null : id }));
  const office = staffSessions.map(({ id, userAgent, lastUsedAt }) => ({
    session: id,
    device: `Back office, ${deviceName(userAgent)}`,
    lastUsedAt,
  }));
  return {
    tab: "settings" as const,
    proof,
    hasSecondFactor,
    devices: [...shown, ...office],
    place,
    consents,
    requests,
    unshipped,
    isStaff: onTeam,
    joinPath,
  };
}

const loads = {
  dashboard: loadDashboard,
  orders: loadOrders,
  wishlist: loadWishlist,
  settings: loadSettings,
} satisfies Record<TabId, (customer: Customer, query: URLSearchParams) => Promise<{ tab: TabId }>>;

type Content = Awaited<ReturnType<(typeof loads)[TabId]>>;
export type TabData<Tab extends TabId> = Extract<Content, { tab: Tab }>;

export async function loadAccount(customer: Customer, tab: TabId, query: URLSearchParams) {
  const [profile, content] = await Promise.all([getProfile(db, customer.id), loads[tab](customer, query)]);
  const { email, emailVerified } = customer;
  return { person: { ...profile, email, emailVerified }, content };
}

export type Person = Awaited<ReturnType<typeof loadAccount>>["person"];
