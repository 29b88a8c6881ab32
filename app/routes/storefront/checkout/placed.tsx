import { Check, MailCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link, useNavigate } from "react-router";
import { Picture } from "#app/ui/product/picture.tsx";
import { notify } from "#app/ui/feedback/toast.ts";
import { orderNumber, orderPath } from "#shop/orders/order.ts";

const HOME_AFTER_MS = 2_000;
let announced = "";

type PlacedProps = { orderId: string; email: string; picture: string | null };

/** Order confirmation, which redirects home after a while. The picture is of what was ordered, if the page still knows it. */
export function Placed({ orderId, email, picture }: PlacedProps) {
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    // The form was scrolled to its button; the confirmation starts at the top.
    window.scrollTo({ top: 0, behavior: "instant" });
    heading.current?.focus({ preventScroll: true });
    if (announced !== orderId) {
      announced = orderId;
      notify("Order placed!", "Your order has been successfully placed.");
    }
    const timer = setTimeout(() => void navigate("/"), HOME_AFTER_MS);
    return () => clearTimeout(timer);
  }, [navigate, orderId]);

  return (
    <section className="page section grid min-h-[70vh] place-content-center justify-items-center gap-6 text-center">
      <div className="relative">
        {picture && (
          <Picture
            name={picture}
            alt=""
            sizes="(min-width: 1024px) 240px, 200px"
            priority
            imgClassName="size-50 rounded-card object-cover lg:size-60"
          />
        )}
        <span
          className={`grid size-16 place-items-center rounded-full bg-leaf-light text-leaf ${picture ? "absolute -right-4 -bottom-4" : ""}`}
        >
          <Check size={30} strokeWidth={1.75} aria-hidden="true" />
        </span>
      </div>
      <h1 ref={heading} tabIndex={-1} className="display outline-none">
        Thank you for your order
      </h1>
      <noscript>
        <p className="text-lg">
          <strong>Order placed!</strong> Your order has been successfully placed.
        </p>
      </noscript>
      <p className="text-lg">
        Order number <strong className="font-semibold tabular-nums">{orderNumber(orderId)}</strong>
      </p>
      <p className="max-w-md text-ink-soft">{`A confirmation is on its way to ${email}. You weren’t charged today.`}</p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        <Link to="/" className="button button-primary">
          Return to Home
        </Link>
        <Link to={orderPath(orderId)} className="button button-quiet">
          View your order
        </Link>
      </div>
    </section>
  );
}

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
