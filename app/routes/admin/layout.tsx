/** Layout of the back office: menu, search, live updates and the signed-in member. */
import { useEffect, useRef, type ReactNode } from "react";
import { isRouteErrorResponse, NavLink, Outlet, useLocation, useMatches, useRouteLoaderData } from "react-router";
import { brand } from "#shop/brand.ts";
import { clock } from "#shop/clock.ts";
import { type Role, ROLE_WORDS } from "#shop/roles.ts";
import { isWaitlistUsed } from "#shop/waitlist/list-signups.server.ts";
import { privateHeaders } from "#platform/cache-headers.ts";
import { db } from "#platform/database.server.ts";
import { staffOf } from "#app/session/staff.server.ts";
import { useOfflineGuard } from "#app/ui/chrome/offline.ts";
import { StorefrontChrome } from "#app/ui/chrome/storefront-chrome.tsx";
import { Wordmark } from "#app/ui/chrome/wordmark.tsx";
import { NowContext } from "#app/ui/admin/when.tsx";
import { ErrorPage } from "#app/ui/feedback/error-page.tsx";
import type { Route } from "./+types/layout.ts";
import stylesUrl from "./admin.css?url";
import { GO_LIVE, menuFor, WAITLIST, type MenuItem } from "./access.ts";
import { loadMissing } from "./go-live/load.server.ts";
import { menuCounts } from "./today/sections.server.ts";
import { SearchBox } from "./search/box.tsx";
import { guard } from "./guard.server.ts";
import { useTableKeys } from "#app/ui/admin/table.tsx";
import { useNews } from "./live.tsx";

export const middleware: Route.MiddlewareFunction[] = [guard];

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesUrl }];
export const headers = privateHeaders;
/** Each screen has a title of its own. */
export const meta: Route.MetaFunction = () => [{ name: "robots", content: "noindex" }];

/** "Go live" is in the menu while something is missing, and the waitlist once it is used. */
async function menuOf(role: Role): Promise<MenuItem[]> {
  const isShown: Record<string, () => Promise<boolean>> = {
    [GO_LIVE]: async () => (await loadMissing()).length > 0,
    [WAITLIST]: () => isWaitlistUsed(db),
  };
  const menu = await Promise.all(
    menuFor(role).map(async (each) => ((await isShown[each.path]?.()) === false ? [] : [each])),
  );
  return menu.flat();
}

export async function loader({ context }: Route.LoaderArgs) {
  const { name, role } = staffOf(context);
  const [menu, counts] = await Promise.all([menuOf(role), menuCounts(role)]);
  return { name, role, menu: menu.map((each) => ({ ...each, count: counts[each.path] })), now: clock.now() };
}

type CountedItem = MenuItem & { count?: string | undefined };
type Signed = { name: string; role: keyof typeof ROLE_WORDS; menu: CountedItem[] };

const item =
  "flex min-h-9 items-center rounded-lg px-2.5 font-medium text-ink-soft hover:bg-line/60 hover:text-ink aria-[current=page]:bg-leaf-light aria-[current=page]:text-ink pointer-coarse:min-h-11";

function Menu({ menu }: { menu: CountedItem[] }) {
  return (
    <nav aria-label="Back office">
      <ul className="grid gap-0.5">
        {menu.map(({ path, label, count }) => (
          <li key={path}>
            <NavLink
              to={path}
              end={path === "/admin"}
              aria-description={count ? `${count} waiting` : undefined}
              className={`${item} justify-between gap-2`}
            >
              <span>{label}</span>
              {count && (
                <span aria-hidden="true" className="tabular-nums">
                  {count}
                </span>
              )}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Profile({ name, role }: Signed) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t border-line pt-3">
      <p className="px-2.5">
        <span className="block truncate font-medium">{name}</span>
        <span className="text-ink-soft">{ROLE_WORDS[role].name}</span>
      </p>
      <form method="post" action="/admin/sign-out?intent=sign-out">
        <button type="submit" className={`${item} w-full`}>
          Sign out
        </button>
      </form>
      <a href="/" className={item}>
        View store
      </a>
    </div>
  );
}

type ChromeProps = { signed: Signed; isLive?: boolean; children: ReactNode };

/** Without live updates around an error: a refused page would be asked for, and refused, at every event. */
function AdminChrome({ signed, isLive = false, children }: ChromeProps) {
  const drawer = useRef<HTMLDetailsElement>(null);
  const { pathname } = useLocation();
  const news = useNews(isLive);
  const page = useRef(pathname);
  useOfflineGuard();
  // The menu may have been opened before hydration.
  useEffect(() => {
    if (pathname !== page.current && drawer.current) drawer.current.open = false;
    page.current = pathname;
  }, [pathname]);
  return (
    <div className="admin grid min-h-dvh grid-rows-[auto_1fr] lg:grid-cols-[208px_1fr] lg:grid-rows-1 print:block">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-full bg-ink px-5 py-3 font-semibold text-paper focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="sticky top-0 z-30 border-b border-line bg-paper lg:hidden print:hidden">
        <p
          role="status"
          className="pointer-events-none absolute inset-x-28 flex h-13 items-center justify-center text-ink-soft"
        >
          {news}
        </p>
        <details ref={drawer}>
          <summary className="flex min-h-13 list-none items-center justify-between px-4 font-medium">
            <Wordmark className="h-5.5" />
            <span className="flex min-h-11 items-center rounded-full border border-line bg-card px-4">Menu</span>
          </summary>
          <div className="grid gap-3 border-t border-line p-3">
            <Menu menu={[{ path: "/admin/search", label: "Search" }, ...signed.menu]} />
            <Profile {...signed} />
          </div>
        </details>
      </div>
      <aside
        aria-label="Menu and account"
        className="sticky top-0 hidden h-dvh flex-col justify-between gap-4 overflow-y-auto border-r border-line p-3 lg:flex print:hidden"
      >
        <div className="grid gap-5">
          <a href="/admin" aria-label={`${brand.name}, back office`} className="flex min-h-10 items-center px-2.5">
            <Wordmark className="h-5.5" />
          </a>
          <SearchBox />
          <Menu menu={signed.menu} />
          <p role="status" className="min-h-5 px-2.5 text-ink-soft">
            {news}
          </p>
        </div>
        <Profile {...signed} />
      </aside>
      <main id="main" tabIndex={-1} className="min-w-0 px-4 py-5 outline-none lg:px-8 lg:py-7">
        {children}
      </main>
    </div>
  );
}

export default function AdminLayout({ loaderData }: Route.ComponentProps) {
  useTableKeys();
  const isBare = useMatches().some(({ handle }) => (handle as { isBare?: boolean } | undefined)?.isBare);
  if (isBare) return <Outlet />;
  return (
    <NowContext value={loaderData.now}>
      <AdminChrome signed={loaderData} isLive>
        <Outlet />
      </AdminChrome>
    </NowContext>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const loaded = useRouteLoaderData<Signed>("routes/admin/layout");
  const status = isRouteErrorResponse(error) ? error.status : 500;
  // The guard runs before the layout's loader, so its refusal brings its own data.
  const signed = status === 403 && isRouteErrorResponse(error) ? (error.data as { signed: Signed }).signed : loaded;
  if (!signed) {
    return (
      <StorefrontChrome>
        <ErrorPage notFound={status === 404} />
      </StorefrontChrome>
    );
  }
  return (
    <AdminChrome signed={signed}>
      {status === 403 ? <NotAllowed role={signed.role} /> : <ErrorPage notFound={status === 404} />}
    </AdminChrome>
  );
}

function NotAllowed({ role }: { role: keyof typeof ROLE_WORDS }) {
  return (
    <section className="grid gap-3">
      <title>{`No access | ${brand.name}`}</title>
      <h1>You do not have access</h1>
      <p className="max-w-prose text-ink-soft">
        Your role is <span>{ROLE_WORDS[role].name.toLowerCase()}</span>. An owner can change it under Staff. Nothing was
        changed.
      </p>
      <p>
        <a href="/admin" className="btn">
          Back to Today
        </a>
      </p>
    </section>
  );
}
