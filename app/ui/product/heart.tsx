import { Heart as HeartIcon } from "lucide-react";
import { useFetcher } from "react-router";
import { useVisitorState } from "../chrome/visitor-state.tsx";
import { notifyError } from "../feedback/toast.ts";

type HeartProps = {
  productId: string;
  productName: string;
  where: "home" | "card" | "panel";
  /** The guest wishlist of this browser. Without it, a guest who presses the heart is told to sign in. */
  guest?: { isIn: boolean; toggle: () => void };
};

/** Puts a product on the wishlist, or takes it off: shown at once, settled by the server's answer. */
export function Heart({ productId, productName, where, guest }: HeartProps) {
  const { ready, customer, wishlist, wish } = useVisitorState();
  // One key for a product: all its hearts on a page are one.
  const { formAction, submit } = useFetcher({ key: `heart-${productId}` });
  const isIn = formAction ? formAction.endsWith("add") : wishlist.includes(productId) || (guest?.isIn ?? false);

  const press = () => {
    // Who presses before it is known who they are is told by the shop.
    if (customer || (!ready && !guest)) {
      wish(productId, !isIn);
      void submit({ productId, where }, { method: "post", action: `/wishlist/${isIn ? "remove" : "add"}` });
    } else if (guest) guest.toggle();
    else notifyError("You must be logged in to add items to wishlist");
  };

  const icon = (
    <HeartIcon
      aria-hidden="true"
      size={20}
      strokeWidth={1.75}
      className={isIn ? "fill-saving text-saving" : "fill-transparent"}
    />
  );
  if (where === "panel") {
    return (
      <button type="button" className="button button-quiet px-4 text-[15px] whitespace-nowrap" onClick={press}>
        {icon}
        {isIn ? "In Wishlist" : "Add to Wishlist"}
      </button>
    );
  }
  return (
    <button type="button" className="icon-button bg-card/85" onClick={press}>
      {icon}
      <span className="sr-only">
        {isIn ? "In Wishlist" : "Add to Wishlist"}, {productName}
      </span>
    </button>
  );
}
