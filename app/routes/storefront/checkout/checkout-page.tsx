import { Check, ChevronDown } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { useFreshOnReturn } from "#app/ui/chrome/page-state.ts";
import { Alert } from "#app/ui/feedback/alert.tsx";
import type { ActionResult } from "#app/ui/form/action-result.ts";
import { Form } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { OrderLines } from "#app/ui/order/order-lines.tsx";
import { OrderSums } from "#app/ui/order/order-sums.tsx";
import type { CartDiscount } from "#shop/discounts/discount.ts";
import { type CartLine, lineProblem } from "#shop/cart/cart.ts";
import { cartTotals, type Totals } from "#shop/cart/totals.ts";
import {
  checkoutDefaults,
  type CheckoutForm,
  checkoutSchema,
  contactSchema,
  shippingSchema,
} from "#shop/checkout/checkout-form.ts";
import { formatExpectedDiscount, formatExpectedShipping, type OrderProblem } from "#shop/checkout/expected-lines.ts";
import { formatMoney } from "#shop/money.ts";
import { methodWords, offeredMethods, type ShippingMethod, usualMethod } from "#shop/shipping/methods.ts";
import { type CheckoutAnswer, type CheckoutData, CONNECTION_LOST } from "./action-result.ts";
import { AddressQuestion } from "./address-question.tsx";
import { CodeField } from "./code-field.tsx";
import { Contact, type Fields, Payment, Review, Shipping } from "./sections.tsx";
import { type Tax, taxQuestion, useTax } from "./tax.ts";

const FAILURE = { message: CONNECTION_LOST };

export function CheckoutPage({ saved, checkoutKey, ...checkout }: Omit<CheckoutData, "mustVerify">) {
  useFreshOnReturn();
  // One key for the lifetime of the page makes a second submission idempotent.
  const [firstKey] = useState(checkoutKey);
  return (
    <Form<CheckoutForm, CheckoutAnswer>
      id="checkout"
      validate={(form) => parseForm(form, checkoutSchema)}
      defaultValue={{ ...checkoutDefaults, shippingMethod: usualOf(checkout), ...saved }}
      failure={FAILURE}
      messageAt="none"
      className="page grid gap-x-16 gap-y-8 pt-8 pb-24 lg:grid-cols-[1fr_400px] lg:pt-14 xl:gap-x-24"
    >
      {(form) => <Parts {...form} {...checkout} checkoutKey={firstKey} />}
    </Form>
  );
}

type PartsProps = Omit<CheckoutData, "mustVerify" | "saved"> & {
  fields: Fields;
  values: Partial<Record<keyof CheckoutForm, unknown>>;
  result: ActionResult<CheckoutAnswer> | undefined;
};

function Parts({ fields, values, result, cart, seen, shipping, arrivals, isCustomer, hasTax, ...page }: PartsProps) {
  const { hasPayments, payBy, offersPayPal, laterCharge } = page;
  const lines = cart?.lines ?? [];
  const typed = offeredMethods(shipping).find((each) => each === values.shippingMethod);
  const method = typed ?? usualOf({ cart, shipping });
  const answer = result?.data && "checkoutKey" in result.data ? result.data : undefined;
  const applied = cart?.discount.applied ?? null;
  const seenDiscount = formatExpectedDiscount(applied);
  const tax = useTax(hasTax, taxQuestion(values, method, `${seen} ${seenDiscount}`), answer?.tax);
  const totals = cartTotals(shipping, lines, method, tax.state === "known" ? tax.cents : 0, applied);
  const isTaxMissing = tax.state !== "none" && tax.state !== "known";
  const isFree = cart !== null && totals.totalCents === 0 && !isTaxMissing;
  return (
    <>
      {/* Enter in a field presses the first button of its form. */}
      <button type="submit" hidden aria-label="Place order" />
      <div className="grid content-start gap-8 lg:col-start-1 lg:row-start-1">
        <h1 className="heading">Checkout</h1>
        <Progress step={currentStep(values)} />
        <Message cart={cart} result={result} />
      </div>
      {cart && (
        <div className="lg:sticky lg:top-8 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start">
          <Summary lines={lines} discount={cart.discount} totals={totals} tax={tax} isTaxMissing={isTaxMissing} />
        </div>
      )}
      <div className="lg:col-start-1 lg:row-start-2">
        <input type="hidden" name="checkoutKey" value={answer?.checkoutKey ?? page.checkoutKey} />
        <input type="hidden" name="seen" value={seen} />
        <input type="hidden" name="seenShipping" value={formatExpectedShipping(shipping)} />
        <input type="hidden" name="seenDiscount" value={seenDiscount} />
        <input type="hidden" name="seenCode" value={cart?.discount.code ?? ""} />
        <input type="hidden" name="seenTerms" value={page.terms} />
        {answer?.addressAsked && <input type="hidden" name="addressAsked" value={answer.addressAsked} />}
        {hasTax && <input type="hidden" name="seenTax" value={totals.taxCents} />}
        <Contact fields={fields} />
        <Shipping
          fields={fields}
          shipping={shipping}
          priceOf={(each) => cartTotals(shipping, lines, each, 0, applied).shippingCents}
          arrivals={arrivals}
          isCustomer={isCustomer}
        />
        <Payment
          fields={fields}
          isFree={isFree}
          hasPayments={hasPayments}
          payBy={payBy}
          offersPayPal={offersPayPal}
          laterCharge={laterCharge}
        />
        <Review
          values={values}
          methodWords={methodWords(shipping, method)}
          totalCents={cart && totals.totalCents}
          isTaxMissing={isTaxMissing}
          isFree={isFree}
          hasPayments={hasPayments}
          laterCharge={laterCharge}
        />
      </div>
    </>
  );
}

function Message({ cart, result }: Pick<CheckoutData, "cart"> & { result: ActionResult<CheckoutAnswer> | undefined }) {
  if (result?.message) {
    const { message, submission, data } = result;
    const inTheWay = data && "checkoutKey" in data ? data : undefined;
    if (inTheWay?.suggested) return <AddressQuestion suggested={inTheWay.suggested} answer={result} />;
    const [invalid] = Object.keys(submission?.error ?? {});
    // The first invalid field has the focus, so the alert does not take it.
    if (invalid) {
      const toField = { to: `#checkout-${invalid}`, text: "Go to the first one" };
      return <OrderAlert message={message} link={toField} />;
    }
    if (inTheWay?.tax) {
      return (
        <Alert focusFor={result} className="scroll-mt-28 p-5 sm:p-6">
          {message}
        </Alert>
      );
    }
    return <OrderAlert message={message} problems={inTheWay?.problems} link={inTheWay?.link} answer={result} />;
  }
  const problems = (cart?.lines ?? []).flatMap((line) => {
    const message = lineProblem(line);
    return message ? [{ productId: line.productId, name: line.name, message }] : [];
  });
  return problems.length > 0 && <OrderAlert message="Something in your cart needs fixing first." problems={problems} />;
}

/** The method that the cart counted with. */
const usualOf = ({ cart, shipping }: Pick<CheckoutData, "cart" | "shipping">): ShippingMethod =>
  usualMethod(shipping, cart?.totals.subtotalCents);

/** The first incomplete section. Nothing is typed for the payment, so review follows shipping. */
function currentStep(values: object): number {
  if (!contactSchema.safeParse(values).success) return 0;
  return shippingSchema.safeParse(values).success ? 3 : 1;
}

const STEPS = ["Contact", "Shipping", "Payment", "Review"];

function Progress({ step }: { step: number }) {
  return (
    <ol aria-label="Checkout progress" className="grid grid-cols-4 gap-2 sm:gap-3">
      {STEPS.map((name, index) => {
        const done = index < step;
        const current = index === step;
        return (
          <li
            key={name}
            aria-current={current ? "step" : undefined}
            className={`flex items-center gap-1.5 border-t-2 pt-3 text-sm transition-colors duration-200 sm:text-base ${
              done || current ? "border-leaf" : "border-line"
            } ${current ? "font-semibold text-ink" : "text-ink-soft"}`}
          >
            <span className="min-w-0">{name}</span>
            {done && (
              <>
                <Check size={15} strokeWidth={2.25} aria-hidden="true" className="text-leaf" />
                <span className="sr-only">complete</span>
              </>
            )}
          </li>
        );
      })}
    </ol>
  );
}

type OrderAlertProps = {
  message: string;
  problems?: OrderProblem[];
  link?: { to: string; text: string };
  /** Changes with each result, so that a repeated message is announced again. */
  answer?: unknown;
};

const toCart = { to: "/cart", text: "Go to your cart" };

/** Problems of the order by line, with links to their remedies. */
function OrderAlert({
  message,
  problems = [],
  link = problems.length > 0 ? toCart : undefined,
  answer,
}: OrderAlertProps) {
  return (
    <Alert tone="error" focusFor={answer} className="grid scroll-mt-28 gap-4 p-5 sm:p-6">
      <p className="font-semibold text-error">{message}</p>
      {problems.length > 0 && (
        <ul className="grid gap-3">
          {problems.map(({ productId, name, message: remedy }) => (
            <li key={productId}>
              <p className="font-medium">{name}</p>
              <p className="text-ink-soft">{remedy}</p>
            </li>
          ))}
        </ul>
      )}
      {link && (
        <Link to={link.to} className="text-link inline-flex min-h-11 items-center justify-self-start">
          {link.text}
        </Link>
      )}
    </Alert>
  );
}

type SummaryProps = { lines: CartLine[]; discount: CartDiscount; totals: Totals; tax: Tax; isTaxMissing: boolean };

/** Lines and totals: a column, or collapsed above the form on small screens. */
function Summary({ lines, discount, totals, tax, isTaxMissing }: SummaryProps) {
  const preOrders = lines.filter(({ preOrder }) => preOrder !== null);
  return (
    <section aria-labelledby="summary" className="rounded-card bg-card lg:p-8">
      <input type="checkbox" id="show-summary" className="peer sr-only lg:hidden" />
      <label
        htmlFor="show-summary"
        className="flex min-h-14 items-center gap-2 rounded-card px-5 outline-offset-3 outline-leaf peer-focus-visible:outline-2 lg:hidden peer-checked:[&_svg]:rotate-180"
      >
        Show order summary
        <ChevronDown size={18} aria-hidden="true" className="transition-transform duration-200" />
        <span className="ml-auto text-right text-lg font-semibold tabular-nums">
          <span>{formatMoney(totals.totalCents)}</span>
          {isTaxMissing && <span className="block text-sm font-normal text-ink-soft">plus sales tax</span>}
        </span>
      </label>
      {preOrders.length > 0 && (
        <ul className="grid gap-1 px-5 pb-4 text-sm font-medium text-saving peer-checked:hidden lg:hidden">
          {preOrders.map(({ id, name, preOrder }) => (
            <li key={id}>{`${name}: ${preOrder}`}</li>
          ))}
        </ul>
      )}
      <div className="hidden gap-7 px-5 pb-6 peer-checked:grid lg:grid lg:p-0">
        <div className="flex items-baseline justify-between gap-4 max-lg:pt-2">
          <h2 id="summary" className="text-xl font-semibold">
            Order Summary
          </h2>
          <Link
            to="/cart"
            className="inline-flex min-h-11 items-center text-sm font-medium underline decoration-1 underline-offset-4"
          >
            Edit cart
          </Link>
        </div>
        <OrderLines
          order="open"
          lines={lines.map((line) => ({ ...line, priceCents: line.unitPriceCents, slug: null, note: line.preOrder }))}
        />
        <CodeField discount={discount} />
        <div className="border-t border-line pt-6">
          <OrderSums
            order="checkout"
            totals={totals}
            tax={tax.state === "none" ? undefined : <TaxWords tax={tax} />}
            isTaxMissing={isTaxMissing}
          />
        </div>
      </div>
    </section>
  );
}

const MISSING = { none: "", unknown: "Add your state and ZIP code", asking: "Calculating…" };

function TaxWords({ tax }: { tax: Tax }) {
  return (
    <span aria-live="polite">
      {tax.state === "known" && <span>{formatMoney(tax.cents)}</span>}
      {tax.state === "failed" && (
        <>
          <span className="block text-sm font-medium text-error">{tax.message}</span>
          <button type="button" onClick={tax.askAgain} className="text-link inline-flex min-h-11 items-center">
            Try again
          </button>
        </>
      )}
      {tax.state !== "known" && tax.state !== "failed" && <span className="text-ink-soft">{MISSING[tax.state]}</span>}
    </span>
  );
}
