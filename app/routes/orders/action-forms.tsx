import { useEffect, useId, useRef, type MouseEvent } from "react";
import { orderPath } from "#shop/orders/order.ts";
import { Form, Submit, useActionResult } from "#app/ui/form/form.tsx";
import { Dialog } from "#app/ui/overlay/dialog.tsx";
import { LocalTime } from "#app/ui/time/local-time.tsx";
import { ORDER_ANSWER, ORDER_FAILURE, type OrderIntent, type Confirmed } from "./action-result.ts";
import type { OrderPageData } from "./load.server.ts";

type Order = { order: OrderPageData };

type Words = { link: string; title: string; text: string; yes: string; no: string };

const WORDS: Record<Confirmed, Words> = {
  cancel: {
    link: "Cancel order",
    title: "Cancel this order?",
    text: "It hasn’t shipped, so canceling is free and you won’t pay for it. You can’t undo this.",
    yes: "Cancel order",
    no: "Keep my order",
  },
  keep: {
    link: "Keep my order",
    title: "Keep this order?",
    text: "We’ll ship it by the date below and email you when we do. Until then, you can still cancel free of charge.",
    yes: "Keep my order",
    no: "Not now",
  },
  change: {
    link: "Change my order",
    title: "Change this order?",
    text: "We’ll move everything back to your cart and cancel this order. Then you can order again.",
    yes: "Back to my cart",
    no: "Keep it as it is",
  },
  card: {
    link: "Change card",
    title: "Use another card?",
    text: "You’ll save the new card securely with Stripe. Nothing is charged now, and we’ll delete the old card.",
    yes: "Continue to Stripe",
    no: "Keep my card",
  },
  "ship-now": {
    link: "Ship it now",
    title: "Ship it now?",
    text: "",
    yes: "Ship it now",
    no: "Wait for the day",
  },
};

const REST: Partial<Record<Confirmed, Words>> = {
  cancel: {
    link: "Cancel the rest",
    title: "Cancel the rest of this order?",
    text: "It hasn’t shipped, so canceling is free, and we’ll refund anything you paid for it. You can’t undo this.",
    yes: "Cancel the rest",
    no: "Keep the rest",
  },
  keep: { ...WORDS.keep, link: "Keep the rest", title: "Keep the rest of this order?", yes: "Keep the rest" },
};

const UNKNOWN_DAY =
  "We’ll email you the day as soon as we know it. You can still cancel free of charge anytime before it ships.";

function wordsOf({ isRest, isDayUnknown, actions }: OrderPageData, intent: Confirmed): Words {
  const words = (isRest && REST[intent]) || WORDS[intent];
  if (intent === "ship-now") return { ...words, text: actions.shipNow ?? "" };
  return intent === "keep" && isDayUnknown ? { ...words, text: UNKNOWN_DAY } : words;
}

/** Actions of the order's state; the next step is the filled button. */
export function OrderActions({ order }: Order) {
  const { mayPay, mayChange, mayCancel, mustAnswerDelay, holdUntil, isByLink, shipNow } = order.actions;
  return (
    <>
      {holdUntil && (
        <p className="mt-4 font-medium">
          Reserved until <LocalTime date={holdUntil} as={isByLink ? "moment" : "time"} />.
        </p>
      )}
      {(mayPay || mustAnswerDelay || mayChange || shipNow) && (
        <div className="mt-8 flex flex-wrap gap-3">
          {mayPay && <IntentForm order={order} intent="pay" text="Pay now" />}
          {mustAnswerDelay && <IntentForm order={order} intent="keep" text={wordsOf(order, "keep").link} />}
          {shipNow && <ConfirmLink order={order} intent="ship-now" className="button button-primary" />}
          {mayChange && <ConfirmLink order={order} intent="change" className="button button-quiet" />}
          {mustAnswerDelay && mayCancel && (
            <ConfirmLink order={order} intent="cancel" className="button button-quiet" />
          )}
        </div>
      )}
    </>
  );
}

type IntentFormProps = Order & { intent: OrderIntent; text: string };

function IntentForm({ order, intent, text }: IntentFormProps) {
  const id = useId();
  return (
    <Form id={id} answerId={ORDER_ANSWER} action={orderPath(order.id)} failure={ORDER_FAILURE} messageAt="none">
      {(intent === "keep" || intent === "ship-now") && (
        <input type="hidden" name="seen" value={order.actions.seen[intent]} />
      )}
      <Submit name="intent" value={intent} className="button button-primary">
        {text}
      </Submit>
    </Form>
  );
}

/** A link to the confirmation; with JavaScript it opens as a dialog. */
export function ConfirmLink({ order, intent, className }: Order & { intent: Confirmed; className: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const answer = useActionResult(ORDER_ANSWER);
  useEffect(() => {
    if (answer) dialog.current?.close();
  }, [answer]);
  const ask = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    dialog.current?.showModal();
  };
  const { link, title, text, yes, no } = wordsOf(order, intent);
  return (
    <>
      <a href={`?intent=${intent}`} onClick={ask} className={className}>
        {link}
      </a>
      <Dialog
        ref={dialog}
        aria-labelledby={`${intent}-title`}
        className="m-auto w-[min(100vw-40px,480px)] rounded-card bg-paper p-7 text-ink opacity-100 transition-opacity duration-200 ease-out backdrop:bg-ink/50 sm:p-9 starting:open:opacity-0"
      >
        <h2 id={`${intent}-title`} className="text-2xl font-semibold">
          {title}
        </h2>
        <p className="mt-3 text-ink-soft">{text}</p>
        <div className="mt-7 flex flex-wrap gap-3">
          <IntentForm order={order} intent={intent} text={yes} />
          <button type="button" onClick={() => dialog.current?.close()} className="button button-quiet">
            {no}
          </button>
        </div>
      </Dialog>
    </>
  );
}

/** The confirmation in the page, for links of emails and without JavaScript. */
export function ConfirmHere({ order, intent }: Order & { intent: Confirmed }) {
  const { mayCancel, mayChange, mayChangeCard, mustAnswerDelay, shipNow } = order.actions;
  const isOpen = {
    cancel: mayCancel,
    change: mayChange,
    keep: mustAnswerDelay,
    card: mayChangeCard,
    "ship-now": shipNow !== null,
  };
  if (!isOpen[intent]) return null;
  const { title, text, yes, no } = wordsOf(order, intent);
  return (
    <section aria-labelledby="confirm" className="mb-10 rounded-card bg-leaf-light/60 p-6 sm:p-8">
      <h2 id="confirm" className="text-2xl font-semibold">
        {title}
      </h2>
      <p className="mt-2 max-w-[40em]">{text}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        <IntentForm order={order} intent={intent} text={yes} />
        <a href={orderPath(order.id)} className="button button-quiet">
          {no}
        </a>
      </div>
    </section>
  );
}
