import { Link, NavLink } from "react-router";
import { ShoppingBag } from "lucide-react";
import { AccountMenu } from "./account.tsx";
import { MenuDrawer } from "./menu-drawer.tsx";
import { useVisitorState } from "./visitor-state.tsx";
import { SearchButton } from "../search/search-button.tsx";
import { Wordmark } from "./wordmark.tsx";

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
    <header className="sticky top-0 z-40 border-b border-line bg-paper">
      <div className="page flex h-16 items-center">
        <Link to="/" aria-label="Polara, home" className="-ml-2 flex min-h-11 flex-1 items-center px-2">
          <Wordmark className="h-6.5" />
        </Link>
        <nav aria-label="Main" className="hidden lg:block">
          <ul className="flex gap-1">
            {links.map(({ to, label }) => (
              <li key={to}>
                <NavLink
                  to={to}
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
          {/* As wide as 'Sign In', so that the cart stays where it is when the account menu takes its place. */}
          <div className="hidden w-24 justify-end lg:flex">
            {customer ? (
              <AccountMenu firstName={customer.firstName} />
            ) : (
              <Link to="/auth" className="button button-primary min-h-11 px-5 text-[15px]">
                Sign In
              </Link>
            )}
          </div>
          <MenuDrawer links={links} customer={customer} />
        </div>
      </div>
    </header>
  );
}

function CartLink({ count }: { count: number }) {
  const name = count === 0 ? "Cart" : `Cart, ${count} ${count === 1 ? "item" : "items"}`;
  return (
    <Link to="/cart" className="icon-button relative">
      <span className="sr-only">{name}</span>
      <ShoppingBag size={22} strokeWidth={1.75} aria-hidden />
      {count > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-0.5 right-0 grid h-5 min-w-5 place-items-center rounded-full bg-leaf px-1 text-[11px] leading-none font-semibold text-white tabular-nums"
        >
          {count > 9 ? "9+" : count}
        </span>
      )}
    </Link>
  );
}
