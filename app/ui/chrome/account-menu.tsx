import { useEffect, useRef } from "react";
import { Form, Link, useLocation } from "react-router";
import { CircleUserRound } from "lucide-react";

const accountLinks = [
  { to: "/account", label: "My Account" },
  { to: "/account?tab=orders", label: "Orders" },
  { to: "/account?tab=wishlist", label: "Wishlist" },
  { to: "/account?tab=settings", label: "Settings" },
];

const greeting = (firstName: string) => (firstName ? `Hello, ${firstName}` : "Hello");

export function AccountMenu({ firstName }: { firstName: string }) {
  const menu = useRef<HTMLDivElement>(null);
  const location = useLocation();
  useEffect(() => menu.current?.hidePopover(), [location]);

  return (
    <>
      <button
        type="button"
        popoverTarget="account-menu"
        aria-label={firstName ? `Account, ${firstName}` : "Account"}
        className={`icon-button ${firstName && "named"}`}
      >
        <CircleUserRound size={22} strokeWidth={1.75} aria-hidden className="shrink-0" />
        {firstName && <span className="truncate">{firstName}</span>}
      </button>
      <div
        ref={menu}
        id="account-menu"
        popover="auto"
        className="fixed inset-auto top-17 right-[max(clamp(20px,4vw,48px),calc((100vw-1320px)/2+48px))] w-60 rounded-card border border-line bg-card p-2 text-ink"
      >
        <nav aria-label="Account">
          <p className="truncate px-4 pt-2 pb-1 text-sm text-ink-soft">{greeting(firstName)}</p>
          <ul>
            {accountLinks.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} className="flex min-h-11 items-center rounded-lg px-4 font-medium hover:bg-paper">
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <SignOut className="mt-2 w-full border-t border-line px-4 pt-2 text-left font-medium" />
      </div>
    </>
  );
}

function SignOut({ className }: { className: string }) {
  return (
    <Form method="post" action="/auth/sign-out" reloadDocument>
      <button type="submit" className={`min-h-11 ${className}`}>
        Sign Out
      </button>
    </Form>
  );
}

const quietRow = "flex min-h-11 items-center text-ink-soft";

export function AccountRows({ firstName }: { firstName: string }) {
  return (
    <nav aria-label="Account">
      <p className="mb-1 text-sm font-semibold">{greeting(firstName)}</p>
      {accountLinks.map(({ to, label }) => (
        <Link key={to} to={to} className={quietRow}>
          {label}
        </Link>
      ))}
      <SignOut className={quietRow} />
    </nav>
  );
}
