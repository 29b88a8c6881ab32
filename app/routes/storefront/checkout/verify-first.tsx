import { MailCheck } from "lucide-react";
import { Link } from "react-router";

/** In place of the form, for a customer whose email is not verified. */
export function VerifyFirst() {
  return (
    <section className="page section grid min-h-[70vh] place-content-center justify-items-center gap-6 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-saving-soft text-saving">
        <MailCheck size={28} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <h1 className="sr-only">Checkout</h1>
      <div role="alert" className="grid justify-items-center gap-5">
        <h2 className="heading">Email Verification Required</h2>
        <p className="max-w-lg text-lg text-ink-soft">
          You must verify your email address before placing orders. This ensures we can send you order confirmations and
          shipping updates.
        </p>
      </div>
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        <Link to="/account" className="button button-primary">
          Go to My Account
        </Link>
        <Link to="/cart" className="button button-quiet">
          Back to Cart
        </Link>
      </div>
    </section>
  );
}
