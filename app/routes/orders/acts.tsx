import { useRef, type MouseEvent } from "react";
import { orderPath } from "../../../shop/orders/order.ts";
import { Dialog, openDialog } from "../../ui/overlay/dialog.tsx";
import { LocalTime } from "../../ui/time/local-time.tsx";
import type { Act, Confirmed } from "./action-result.ts";
import type { OrderPageData } from "./load.server.ts";

type Order = { order: OrderPageData };

const WORDS: Record<Confirmed, { link: string; title: string; text: string; yes: string; no: string }> = {
  cancel: {
    link: "Cancel order",
    title: "Cancel this order?",
    text: "It has not shipped, so canceling is free, and you are not charged for it. This cannot be undone.",
    yes: "Cancel order",
    no: "Keep my order",
  },
  keep: {
    link: "Keep my order",
    title: "Keep this order?",
    text: "We ship it by the day below, and write to you when we do. Until then you can still cancel free of charge.",
    yes: "Keep my order",
    no: "Not now",
  },
  change: {
    link: "Change my order",
    title: "Change this order?",
    text: "We put everything back into your cart and cancel this order. You then order again.",
    yes: "Back to my cart",
    no: "Leave it as it is",
  },
};

/** What can be done now: the one next thing is the filled button. */
export function Acts({ order }: Order) {
  const { mayPay, mayChange, mayCancel, mustAnswerDelay, holdUntil } = order.acts;
  return (
    <>
      {holdUntil && (
        <p className="mt-4 font-medium">
          Yours until <LocalTime date={holdUntil} as="time" />.
        </p>
      )}
      {(mayPay || mustAnswerDelay || mayChange) && (
        <div className="mt-8 flex flex-wrap gap-3">
          {mayPay && <ActForm order={order} act="pay" look="button-primary" text="Pay now" />}
          {mustAnswerDelay && <ActForm order={order} act="keep" look="button-primary" text="Keep my order" />}
          {mayChange && <Asking order={order} act="change" className="button button-quiet" />}
          {mustAnswerDelay && mayCancel && <Asking order={order} act="cancel" className="button button-quiet" />}
        </div>
      )}
    </>
  );
}

/** A plain form: an act leads to the page as it is then, with or without JavaScript. */
function ActForm({ order, act, look, text }: Order & { act: Act; look: string; text: string }) {
  return (
    <form method="post" action={orderPath(order.id)}>
      <button type="submit" name="act" value={act} className={`button ${look}`}>
        {text}
      </button>
    </form>
  );
}

/** A link to the question on this page, which the page's script asks in a dialog. */
export function Asking({ order, act, className }: Order & { act: Confirmed; className: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const ask = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openDialog(dialog);
  };
  const { link, title, text, no } = WORDS[act];
  return (
    <>
      <a href={`?act=${act}`} onClick={ask} className={className}>
        {link}
      </a>
      <Dialog
        ref={dialog}
        aria-labelledby={`${act}-title`}
        className="m-auto w-[min(100vw-40px,480px)] rounded-[20px] bg-paper p-7 text-ink opacity-100 transition-opacity duration-200 ease-out backdrop:bg-ink/50 sm:p-9 starting:open:opacity-0"
      >
        <h2 id={`${act}-title`} className="text-2xl font-semibold">
          {title}
        </h2>
        <p className="mt-3 text-ink-soft">{text}</p>
        <div className="mt-7 flex flex-wrap gap-3">
          <ActForm order={order} act={act} look="button-primary" text={WORDS[act].yes} />
          <button type="button" onClick={() => dialog.current?.close()} className="button button-quiet">
            {no}
          </button>
        </div>
      </Dialog>
    </>
  );
}

/** The same question where it was opened by its link. */
export function ConfirmHere({ order, act }: Order & { act: Confirmed }) {
  const { mayCancel, mayChange, mustAnswerDelay } = order.acts;
  const isOpen = { cancel: mayCancel, change: mayChange, keep: mustAnswerDelay };
  if (!isOpen[act]) return null;
  const { title, text, yes, no } = WORDS[act];
  return (
    <section aria-labelledby="confirm" className="mb-10 rounded-card bg-leaf-light/60 p-6 sm:p-8">
      <h2 id="confirm" className="text-2xl font-semibold">
        {title}
      </h2>
      <p className="mt-2 max-w-[40em]">{text}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        <ActForm order={order} act={act} look="button-primary" text={yes} />
        <a href={orderPath(order.id)} className="button button-quiet">
          {no}
        </a>
      </div>
    </section>
  );
}
