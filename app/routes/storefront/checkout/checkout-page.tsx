import { getFormProps } from "@conform-to/react";
import { useState } from "react";
import { Form, useNavigation } from "react-router";
import { lineProblem } from "../../../../shop/cart/cart.ts";
import { cartTotals } from "../../../../shop/cart/totals.ts";
import { SHIPPING_METHODS, type ShippingMethod } from "../../../../shop/shipping/methods.ts";
import {
  checkoutDefaults,
  checkoutSchema,
  contactSchema,
  shippingSchema,
} from "../../../../shop/checkout/checkout-form.ts";
import { submitAfterPaint } from "../../../ui/form/submit-after-paint.ts";
import { useShopForm } from "../../../ui/form/use-shop-form.ts";
import type { CheckoutActionResult, CheckoutData } from "./action-result.ts";
import { Contact } from "./contact.tsx";
import { OrderAlert } from "./order-alert.tsx";
import { Payment } from "./payment.tsx";
import { Progress } from "./progress.tsx";
import { Review } from "./review.tsx";
import { Shipping } from "./shipping.tsx";
import { Summary } from "./summary.tsx";

/** An answer after which the form stays. */
type FormActionResult = Exclude<CheckoutActionResult, { outcome: "placed" | "held" | "unverified" }>;
type CheckoutPageProps = Omit<CheckoutData, "mustVerify"> & { actionResult: FormActionResult | undefined };

export function CheckoutPage({
  cart,
  seen,
  saved,
  checkoutKey,
  isCustomer,
  hasPayments,
  actionResult,
}: CheckoutPageProps) {
  const isProcessing = useNavigation().formAction === "/checkout";
  // One key for as long as this page is open: submitting twice cannot order twice.
  const [firstKey] = useState(checkoutKey);
  const [form, fields] = useShopForm({
    id: "checkout",
    schema: checkoutSchema,
    lastResult: actionResult?.result,
    defaultValue: { ...checkoutDefaults, ...saved },
  });

  const values = form.value ?? {};
  const method = readMethod(fields.shippingMethod.value);
  const lines = cart?.lines ?? [];
  const totals = cartTotals(lines, method);

  return (
    <div className="page grid gap-x-16 gap-y-8 pt-8 pb-24 lg:grid-cols-[1fr_400px] lg:pt-14 xl:gap-x-24">
      <div className="grid content-start gap-8 lg:col-start-1 lg:row-start-1">
        <h1 className="heading">Checkout</h1>
        <Progress step={currentStep(values)} />
        <Message cart={cart} actionResult={actionResult} />
      </div>
      {cart && (
        <div className="lg:sticky lg:top-28 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start">
          <Summary lines={lines} totals={totals} />
        </div>
      )}
      <Form
        method="post"
        preventScrollReset
        {...getFormProps(form)}
        onSubmitCapture={submitAfterPaint}
        className="lg:col-start-1 lg:row-start-2"
      >
        <input type="hidden" name="checkoutKey" value={actionResult?.checkoutKey ?? firstKey} />
        <input type="hidden" name="seen" value={seen} />
        <Contact fields={fields} />
        <Shipping fields={fields} subtotalCents={totals.subtotalCents} isCustomer={isCustomer} />
        <Payment fields={fields} hasPayments={hasPayments} />
        <Review values={values} method={method} totalCents={cart && totals.totalCents} isProcessing={isProcessing} />
      </Form>
    </div>
  );
}

function Message({ cart, actionResult }: Pick<CheckoutPageProps, "cart" | "actionResult">) {
  if (actionResult?.outcome === "failed")
    return <OrderAlert message={actionResult.message} actionResult={actionResult} />;
  if (actionResult?.outcome === "refused") {
    const { result, problems, link } = actionResult;
    return (
      <OrderAlert message={result.error?.[""]?.[0] ?? ""} problems={problems} link={link} actionResult={actionResult} />
    );
  }
  if (actionResult?.outcome === "invalid") {
    const [first] = Object.keys(actionResult.result.error ?? {});
    return (
      <OrderAlert
        message="Some fields need another look."
        link={{ to: `#checkout-${first}`, text: "Go to the first one" }}
      />
    );
  }
  const problems = (cart?.lines ?? []).flatMap((line) => {
    const message = lineProblem(line);
    return message ? [{ productId: line.productId, name: line.name, message }] : [];
  });
  return (
    problems.length > 0 && <OrderAlert message="Something in your cart needs a change first." problems={problems} />
  );
}

function readMethod(value: string | undefined): ShippingMethod {
  return value && Object.hasOwn(SHIPPING_METHODS, value) ? (value as ShippingMethod) : checkoutDefaults.shippingMethod;
}

/** The first section that is not complete. Payment asks for nothing yet, so after shipping comes the review. */
function currentStep(values: object): number {
  if (!contactSchema.safeParse(values).success) return 0;
  return shippingSchema.safeParse(values).success ? 3 : 1;
}
