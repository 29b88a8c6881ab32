/** Header and footer of the checkout, with nothing that leads away from it but help and the rules. */
import { Lock } from "lucide-react";
import { Copyright } from "./copyright.tsx";
import { HomeLink } from "./wordmark.tsx";

const LINK = "inline-flex min-h-11 min-w-11 items-center underline-offset-4 hover:underline";

export function CheckoutHeader() {
  return (
    <header className="border-b border-line bg-paper">
      <div className="page flex min-h-16 flex-wrap items-center justify-between gap-x-4">
        <HomeLink />
        <p className="flex items-center gap-2 text-[15px] font-medium max-[380px]:sr-only">
          <Lock size={17} strokeWidth={1.75} aria-hidden />
          Secure checkout
        </p>
        <NewTab to="/support" label="Help" className={`${LINK} justify-end text-[15px] font-medium`} />
      </div>
    </header>
  );
}

const links = [
  { to: "/terms#shipping", label: "Shipping" },
  { to: "/warranty#return-policy", label: "Returns" },
  { to: "/privacy", label: "Privacy" },
  { to: "/terms", label: "Terms" },
];

export function CheckoutFooter() {
  return (
    <footer className="border-t border-line">
      <div className="page flex flex-wrap items-center justify-between gap-x-8 gap-y-1 py-4 text-sm text-ink-soft">
        <Copyright />
        <ul className="flex flex-wrap gap-x-6">
          {links.map((link) => (
            <li key={link.to}>
              <NewTab {...link} />
            </li>
          ))}
        </ul>
      </div>
    </footer>
  );
}

/** A tab of its own keeps the text typed in the checkout. */
export function NewTab({ to, label, className = LINK }: { to: string; label: string; className?: string }) {
  return (
    <a href={to} target="_blank" className={className}>
      <span>{label}</span>
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
