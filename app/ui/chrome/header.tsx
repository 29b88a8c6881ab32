import { Menu, ShoppingBag, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { Link, NavLink } from "./link.tsx";
import { Dialog, DialogButton } from "#app/ui/overlay/dialog.tsx";
import { SearchButton } from "#app/ui/search/search-button.tsx";
import { AccountMenu, AccountRows } from "./account-menu.tsx";
import { useVisitorState, type VisitorState } from "./visitor-state.tsx";
import { HomeLink } from "./wordmark.tsx";

const links = [
  { to: "/shop", label: "Shop" },
  { to: "/how-it-works", label: "How It Works" },
  { to: "/science", label: "Science" },
  { to: "/about", label: "About" },
  { to: "/blog", label: "Blog" },
  { to: "/support", label: "Support" },
];

export function Header() {
  const { cartCount, customer } = useVisitorState();
  return (
    <header className="bar sticky top-0 z-40 border-b border-line bg-paper">
      <div className="page flex h-16 items-center">
        <HomeLink className="min-w-0 flex-1" />
        <nav aria-label="Main" className="hidden lg:block">
          <ul className="flex gap-1">
            {links.map(({ to, label }) => (
              <li key={to}>
                <NavLink
                  to={to}
                  prefetch="intent"
                  className="flex min-h-11 items-center px-3.5 text-[15px] font-medium decoration-leaf decoration-2 underline-offset-8 hover:underline aria-[current=page]:underline"
                >
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="flex flex-1 items-center justify-end gap-1">
          <SearchButton />
          <CartLink count={cartCount} />
          {/* The width of "Sign In", so that the cart does not move when the account menu replaces it. */}
          <div className="hidden w-24 justify-end lg:flex">
            {customer ? (
              <AccountMenu firstName={customer.firstName} />
            ) : (
              <Link
                to="/auth"
                className="flex min-h-11 items-center pl-3.5 text-[15px] font-medium decoration-leaf decoration-2 underline-offset-8 hover:underline"
              >
                Sign In
              </Link>
            )}
          </div>
          <MenuDrawer customer={customer} />
        </div>
      </div>
    </header>
  );
}

function CartLink({ count }: { count: number }) {
  const name = count === 0 ? "Cart" : `Cart, ${count} ${count === 1 ? "item" : "items"}`;
  return (
    <Link to="/cart" className={`icon-button relative ${count > 0 ? "bg-leaf text-white hover:bg-leaf-deep" : ""}`}>
      <span className="sr-only">{name}</span>
      <ShoppingBag size={22} strokeWidth={1.75} aria-hidden />
      {count > 0 && (
        <span
          key={count}
          aria-hidden="true"
          className="cart-count absolute -top-0.5 -right-1 grid h-5 min-w-5 place-items-center rounded-full bg-ink px-1 text-[11px] leading-none font-semibold text-white tabular-nums"
        >
          {count > 9 ? "9+" : count}
        </span>
      )}
    </Link>
  );
}

const row =
  "flex min-h-14 items-center border-b border-line text-xl font-medium tracking-tight decoration-leaf decoration-2 underline-offset-8 aria-[current=page]:underline";

function MenuDrawer({ customer }: Pick<VisitorState, "customer">) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { key } = useLocation();
  const page = useRef(key);
  // The menu may have been opened before hydration.
  useEffect(() => {
    if (key !== page.current) dialog.current?.close();
    page.current = key;
  }, [key]);

  return (
    <>
      <DialogButton opens="menu" aria-label="Menu" aria-haspopup="dialog" className="icon-button -mr-2.5 lg:hidden">
        <Menu size={24} strokeWidth={1.75} aria-hidden />
      </DialogButton>
      <Dialog
        ref={dialog}
        id="menu"
        aria-label="Menu"
        className="fixed inset-y-0 right-0 left-auto m-0 h-dvh max-h-none w-[min(100vw-48px,400px)] max-w-none translate-x-full bg-paper text-ink transition-[translate,display,overlay] duration-250 ease-out transition-discrete open:translate-x-0 backdrop:bg-ink/40 starting:open:translate-x-full"
      >
        <div className="flex min-h-full flex-col px-6 pb-8">
          <div className="flex h-16 items-center justify-end">
            <form method="dialog">
              <button type="submit" aria-label="Close menu" className="icon-button -mr-2.5">
                <X size={24} strokeWidth={1.75} aria-hidden />
              </button>
            </form>
          </div>
          <nav aria-label="Menu">
            {links.map(({ to, label }) => (
              <NavLink key={to} to={to} prefetch="intent" className={row}>
                {label}
              </NavLink>
            ))}
          </nav>
          <div className="mt-auto pt-10">
            {customer ? (
              <AccountRows firstName={customer.firstName} />
            ) : (
              <Link to="/auth" className="button button-quiet w-full">
                Sign In
              </Link>
            )}
          </div>
        </div>
      </Dialog>
    </>
  );
}
