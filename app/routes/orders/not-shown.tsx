import { Link } from "react-router";

/** In place of an order that this visitor may not see, or that is not there: nobody can tell which. */
export function NotShown({ wait }: { wait: string | null }) {
  return (
    <section className="page section grid min-h-[60vh] place-content-center justify-items-center gap-5 text-center">
      <h1 className="heading">{wait ? "That was a lot at once" : "We cannot show this order here"}</h1>
      <p className="max-w-lg text-lg text-ink-soft">
        {wait ?? "The link in our latest email about it opens it. Orders in your account are listed there."}
      </p>
      <div className="mt-3 flex flex-wrap justify-center gap-3">
        <Link to="/orders/find" className="button button-primary">
          Email me the link
        </Link>
        <Link to="/account?tab=orders" className="button button-quiet">
          My Orders
        </Link>
      </div>
    </section>
  );
}
