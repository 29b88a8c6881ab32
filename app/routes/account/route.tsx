import { Mail } from "lucide-react";
import { data, Link, useSearchParams } from "react-router";
import { requireCustomer } from "#app/session/customer.server.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import type { Route } from "./+types/route.ts";
import { accountAction } from "./action.server.ts";
import { type TabId, tabPath, TABS } from "./tabs.ts";
import { Dashboard } from "./dashboard.tsx";
import { loadAccount } from "./load.server.ts";
import { Orders } from "./orders.tsx";
import { asRenewed } from "#app/session/recent-verification.server.ts";
import { Settings } from "./settings/settings.tsx";
import { Wishlist } from "./wishlist.tsx";
import { TabList } from "#app/ui/content/tab-list.tsx";
import { FormRoutes, PlainForm, Submit } from "#app/ui/form/plain-form.tsx";
import { privateHeaders } from "#platform/cache-headers.ts";

export const headers = privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => {
  const open = TABS.find(({ id }) => id === loaderData?.content.tab);
  const title = !open || open.id === "dashboard" ? "My Account" : open.label;
  return privateMeta(title);
};

/** An unknown tab means the dashboard. */
function readTab(query: URLSearchParams): TabId {
  return TABS.find(({ id }) => id === query.get("tab"))?.id ?? "dashboard";
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const customer = await requireCustomer(asRenewed(request, context));
  const { searchParams } = new URL(request.url);
  return data(await loadAccount(customer, readTab(searchParams), searchParams));
}

export const action = ({ request, context }: Route.ActionArgs) => accountAction(request, context);

export { clientAction } from "#app/ui/form/client-action.ts";

export default function Account({ loaderData }: Route.ComponentProps) {
  const { person, content } = loaderData;
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
        {content.tab === "settings" && <Settings person={person} {...content} />}
      </div>
    </div>
  );
}

/** Tabs are links, so they work without JavaScript. */
function AccountTabs({ open }: { open: TabId }) {
  return (
    <TabList
      label="Account"
      className="mt-7 flex flex-wrap justify-between gap-x-1 border-b border-line outline-none sm:justify-start sm:gap-x-8 lg:mt-9"
    >
      {TABS.map(({ id, label }) => (
        <Link
          key={id}
          to={tabPath(id)}
          preventScrollReset
          role="tab"
          id={`account-tab-${id}`}
          aria-selected={open === id}
          aria-controls="account-panel"
          className="-mb-px inline-flex min-h-13 items-center border-b-2 border-transparent px-0.5 font-medium text-ink-soft -outline-offset-4! hover:text-ink aria-selected:border-ink aria-selected:text-ink sm:text-lg"
        >
          {label}
        </Link>
      ))}
    </TabList>
  );
}

/** Messages of a document, which cannot show a toast. */
const RESENT: Record<string, string> = {
  sent: "Email sent! Please check your inbox for the verification link.",
  failed: "Failed to resend verification email",
};

const RESEND_FAILURE = { title: "Error", message: "Failed to resend verification email" };
const RESEND_ACTIONS = ["/auth/resend"];

function VerifyBanner({ email }: { email: string }) {
  const message = RESENT[useSearchParams()[0].get("resend") ?? ""];
  return (
    <div
      role="status"
      className="mb-9 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 rounded-card border border-line bg-card px-5 py-4 sm:px-6"
    >
      <div className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] gap-x-3.5">
        <Mail size={22} strokeWidth={1.6} aria-hidden="true" className="mt-0.5 text-leaf" />
        <p className="font-medium">Please verify your email address to access your account.</p>
        <p className="col-start-2 text-[15px] break-words text-ink-soft">{`We sent the link to ${email}.`}</p>
        {message && <p className="col-start-2 mt-2 font-semibold">{message}</p>}
      </div>
      <PlainForm id="resend" action="/auth/resend" failure={RESEND_FAILURE}>
        <Submit busy="Sending..." className="text-link min-h-11 max-sm:ml-9">
          Resend verification email
        </Submit>
      </PlainForm>
      <FormRoutes actions={RESEND_ACTIONS} />
    </div>
  );
}
