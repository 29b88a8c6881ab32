import { Heart as HeartIcon } from "lucide-react";
import type { MouseEvent } from "react";
import { useFetcher } from "react-router";
import { addGuestWish } from "#app/ui/chrome/local-storage.ts";
import { useVisitorState } from "#app/ui/chrome/visitor-state.tsx";
import { notifySignedOut } from "#app/ui/feedback/toast.ts";
import { PlainForm, Submit } from "#app/ui/form/plain-form.tsx";

type HeartProps = {
  productId: string;
  productName: string;
  where: "home" | "card" | "panel";
  /** Guest wishlist in this browser; without it, guests are asked to sign in, and the product waits for that. */
  guest?: { isIn: boolean; toggle: () => void };
};

/** A quiet button of icon and words. */
export const WORDED_BUTTON =
  "inline-flex min-h-11 cursor-pointer items-center gap-2 text-[15px] font-medium hover:underline hover:underline-offset-4";

const FAILURES = {
  add: { title: "Error", message: "Failed to add item to wishlist" },
  remove: { title: "Error", message: "Failed to remove item from wishlist" },
};

/** Wishlist toggle: shown optimistically, corrected by the server's result. */
export function Heart({ productId, productName, where, guest }: HeartProps) {
  const { ready, customer, wishlist } = useVisitorState();
  // Hearts of the same product on a page share one fetcher.
  const answerId = `heart-${productId}`;
  const { formAction } = useFetcher({ key: answerId });
  const isSaved = wishlist.includes(productId) || (guest?.isIn ?? false);
  const isIn = formAction ? formAction.endsWith("add") : isSaved;
  const change = isIn ? "remove" : "add";

  const press = (event: MouseEvent) => {
    // The form says so.
    if (!navigator.cookieEnabled) return;
    if (customer) return;
    if (!guest) addGuestWish(productId);
    // The server decides until the visitor state has loaded.
    if (!ready && !guest) return;
    event.preventDefault();
    if (guest) guest.toggle();
    else notifySignedOut("You must be logged in to add items to wishlist");
  };

  const icon = (
    <HeartIcon
      aria-hidden="true"
      size={20}
      strokeWidth={1.75}
      className={isIn ? "fill-saving text-saving" : "fill-transparent"}
    />
  );
  const label = isIn ? "In Wishlist" : "Add to Wishlist";
  return (
    <PlainForm
      id={`heart-${where}-${productId}`}
      answerId={answerId}
      action={`/wishlist/${change}`}
      failure={FAILURES[isSaved ? "remove" : "add"]}
      needsCookie="your wishlist"
      sendsLast
    >
      <input type="hidden" name="productId" value={productId} />
      <input type="hidden" name="where" value={where} />
      {where === "panel" ? (
        <Submit onClick={press} className={WORDED_BUTTON}>
          {icon}
          <span>{label}</span>
        </Submit>
      ) : (
        <Submit onClick={press} className="icon-button group-hover:bg-card/85">
          {icon}
          <span className="sr-only">{`${label}, ${productName}`}</span>
        </Submit>
      )}
    </PlainForm>
  );
}
