import { useEffect, useRef } from "react";
import { Link, NavLink, useLocation } from "react-router";
import { Menu, X } from "lucide-react";
import { Dialog, DialogButton } from "../overlay/dialog.tsx";
import { AccountRows } from "./account.tsx";
import type { VisitorState } from "./visitor-state.tsx";

type MenuDrawerProps = { links: ReadonlyArray<{ to: string; label: string }>; customer: VisitorState["customer"] };

const row =
  "flex min-h-14 items-center border-b border-line text-xl font-medium tracking-tight decoration-leaf decoration-2 underline-offset-8 aria-[current=page]:underline";

/** The slide-in menu of small screens. */
export function MenuDrawer({ links, customer }: MenuDrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { key } = useLocation();
  const page = useRef(key);
  // It may have been opened before this page was awake.
  useEffect(() => {
    if (key !== page.current) dialog.current?.close();
    page.current = key;
  }, [key]);

  return (
    <>
      <DialogButton
        dialog={dialog}
        opens="menu"
        aria-label="Menu"
        aria-haspopup="dialog"
        className="icon-button -mr-2.5 lg:hidden"
      >
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
              <NavLink key={to} to={to} className={row}>
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
