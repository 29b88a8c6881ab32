import { data } from "react-router";
import { requireCustomer } from "../../session/customer.server.ts";
import { writeToShop } from "../../http/browser-write.ts";
import { privateMeta } from "../../http/page-meta.ts";
import type { Route } from "./+types/route.ts";
import { accountAction } from "./action.server.ts";
import { AccountTabs } from "./account-tabs.tsx";
import { CONNECTION_LOST } from "../../session/auth-result.ts";
import { INTENTS, readTab, TABS, type AccountActionResult } from "./action-result.ts";
import { Dashboard } from "./dashboard.tsx";
import { loadAccount } from "./load.server.ts";
import { Orders } from "./orders.tsx";
import { asRenewed } from "./renewed.server.ts";
import { Settings } from "./settings/settings.tsx";
import { VerifyBanner } from "./verify-banner.tsx";
import { Wishlist } from "./wishlist.tsx";
import { privateHeaders } from "../../http/cache-headers.ts";

export const headers = privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => {
  const open = TABS.find(({ id }) => id === loaderData?.content.tab);
  const title = !open || open.id === "dashboard" ? "My Account" : open.label;
  return privateMeta(title);
};

export async function loader({ request, context }: Route.LoaderArgs) {
  const customer = await requireCustomer(asRenewed(request, context));
  const { searchParams } = new URL(request.url);
  return data(await loadAccount(customer, readTab(searchParams), searchParams));
}

export const action = ({ request, context }: Route.ActionArgs) => accountAction(request, context);

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<AccountActionResult>(call, {
    key: "intent",
    lost: (form) => ({
      intent: INTENTS.find((known) => known === form.get("intent")) ?? "profile",
      ok: false,
      message: CONNECTION_LOST,
    }),
  });

export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const { person, content } = loaderData;
  const actionResult = actionData as AccountActionResult | undefined;
  const open = TABS.find(({ id }) => id === content.tab);
  const heading = content.tab === "dashboard" ? ["Hello", person.firstName].filter(Boolean).join(", ") : open?.label;
  return (
    <div className="page pt-8 pb-24 lg:pt-14">
      {!person.emailVerified && <VerifyBanner email={person.email} />}
      <p className="mb-3 font-semibold text-leaf">My Account</p>
      <h1 className="display break-words">{heading}</h1>
      <AccountTabs open={content.tab} />
      <div role="tabpanel" id="account-panel" aria-labelledby={`account-tab-${content.tab}`} className="pt-9 lg:pt-12">
        {content.tab === "dashboard" && <Dashboard person={person} {...content} />}
        {content.tab === "orders" && <Orders {...content} />}
        {content.tab === "wishlist" && <Wishlist {...content} />}
        {content.tab === "settings" && <Settings person={person} actionResult={actionResult} {...content} />}
      </div>
    </div>
  );
}
