import { Link } from "react-router";
import { Picture } from "#app/ui/product/picture.tsx";

export function EmptyCart() {
  return (
    <section className="page section grid grid-cols-1 justify-items-center gap-6 text-center">
      <Picture
        name="pro-earth-green-open"
        alt=""
        sizes="(min-width: 640px) 320px, 240px"
        priority
        className="w-60 max-w-full sm:w-80"
        imgClassName="aspect-square w-full rounded-card object-cover"
      />
      <h1 className="heading mt-2">Your cart is empty</h1>
      <p className="max-w-sm text-ink-soft">Add a bowl or a filter to get started.</p>
      <Link to="/shop" className="button button-primary">
        Continue Shopping
      </Link>
    </section>
  );
}
