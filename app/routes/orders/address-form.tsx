import { Link } from "react-router";
import type { z } from "#shop/zod.ts";
import { addressSchema } from "#shop/checkout/checkout-form.ts";
import { orderPath } from "#shop/orders/order.ts";
import { AddressFields } from "#app/ui/form/address-fields.tsx";
import { Form, Submit } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { ORDER_ANSWER, ORDER_FAILURE, type AddressAnswer } from "./action-result.ts";
import type { OrderPageData } from "./load.server.ts";

/** The form of a new delivery address, opened by its link. Refusals show above it, as all of the page. */
export function AddressForm({ order: { id, number, typedAddress } }: { order: OrderPageData }) {
  return (
    <section aria-labelledby="confirm" className="mb-10 rounded-card bg-leaf-light/60 p-6 sm:p-8">
      <h2 id="confirm" className="text-2xl font-semibold">
        Change the delivery address
      </h2>
      <p className="mt-2 max-w-[40em]">For everything that hasn’t shipped yet. We’ll email you the change.</p>
      <Form<z.input<typeof addressSchema>, AddressAnswer>
        id="address"
        answerId={ORDER_ANSWER}
        action={`${orderPath(id)}?intent=address`}
        validate={(form) => parseForm(form, addressSchema)}
        defaultValue={typedAddress}
        failure={ORDER_FAILURE}
        messageAt="none"
        className="mt-6 max-w-2xl"
      >
        {({ fields, result }) => (
          <>
            <AddressFields fields={fields} />
            {result?.data?.taxCents !== undefined && (
              <input type="hidden" name="seenTax" value={result.data.taxCents} />
            )}
            <div className="mt-6 flex flex-wrap gap-3">
              <Submit intent="address" busy="Changing…">
                {result?.data?.taxCents === undefined ? "Change address" : "Confirm the new total"}
              </Submit>
              <a href={orderPath(id)} className="button button-quiet">
                Keep it as it is
              </a>
            </div>
            <p className="mt-4 text-[15px]">
              Need something else?{" "}
              <Link to={`/support?order=${number}#contact`} className="text-link">
                Ask about this order
              </Link>
            </p>
          </>
        )}
      </Form>
    </section>
  );
}
