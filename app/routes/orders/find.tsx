import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { z } from "#shop/zod.ts";
import { db } from "#platform/database.server.ts";
import { reportError, securityEvent } from "#platform/log.server.ts";
import { emailField } from "#shop/email-field.ts";
import { enqueueEmail } from "#shop/mail/enqueue-email.server.ts";
import { waitMessage } from "#shop/rate-limits/rate-limits.server.ts";
import { done, failed, invalid, readForm, refused } from "#app/http/form.server.ts";
import { consumeMailFor } from "#app/session/rate-limits.server.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import { Form, Submit, useActionResult } from "#app/ui/form/form.tsx";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { TextField } from "#app/ui/form/field.tsx";
import type { Route } from "./+types/find.ts";

export { goingBackHeaders as headers } from "#platform/cache-headers.ts";

export const meta: Route.MetaFunction = () => privateMeta("Find your order");

/** Order numbers are typed with number signs or spaces, in either case. */
const findOrderSchema = z.object({
  number: z
    .string({ error: "Order number is required" })
    .trim()
    .toLowerCase()
    .transform((typed) => typed.replace(/^#\s*/, ""))
    .refine((number) => /^[0-9a-f]{8}$/.test(number), "An order number has 8 letters and digits, for example 8f3a61c2"),
  email: emailField(),
});

/**
 * Known and unknown orders get the same response, also at the inbox's limit, and the email is queued, so neither text
 * nor timing reveals a customer.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const submission = parseForm(await readForm(request, Object.keys(findOrderSchema.shape)), findOrderSchema);
  if (submission.status !== "success") return invalid(submission);
  const { number, email } = submission.value;
  try {
    const decision = await consumeMailFor(context, email);
    if (decision.permit) await enqueueEmail(db, { template: "order-link", number, email }, decision.permit);
    else if (!decision.isInboxFull) return refused(submission, waitMessage(decision.wait), { status: 429 });
    securityEvent("order-link-asked", { outcome: "ok", email });
    return done(submission);
  } catch (error) {
    reportError(error, "no link to an order was sent");
    return failed(submission);
  }
}

export { clientAction } from "#app/ui/form/client-action.ts";

export default function FindOrder() {
  const isSent = useActionResult("find-order")?.ok;
  return (
    <div className="page section grid min-h-[60vh] content-center justify-items-center">
      <div className="w-full max-w-[440px]">{isSent ? <Sent /> : <Ask />}</div>
    </div>
  );
}

function Sent() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} role="status" tabIndex={-1} className="outline-none">
      <h1 className="heading">Check your inbox</h1>
      <p className="mt-4 text-lg">If we found your order, a link is on its way.</p>
      <p className="mt-2 text-ink-soft">
        Nothing after a few minutes? Check the order number, and that you entered the email you ordered with.
      </p>
      <Link to="/support#contact" className="button button-quiet mt-8">
        Go to Support
      </Link>
    </div>
  );
}

const FAILURE = { message: "We couldn’t send it. Please try again." };

function Ask() {
  return (
    <>
      <h1 className="heading">Find your order</h1>
      <p className="mt-4 text-lg text-ink-soft">Enter your order number and email, and we’ll send you a link.</p>
      <Form
        id="find-order"
        action="/orders/find"
        validate={(form) => parseForm(form, findOrderSchema)}
        failure={FAILURE}
        className="mt-9 grid gap-5"
      >
        {({ fields }) => (
          <>
            <TextField
              field={fields.number}
              label="Order number"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <TextField field={fields.email} label="Email" type="email" autoComplete="email" />
            <Submit busy="Sending..." className="button button-primary w-full">
              Send Link
            </Submit>
          </>
        )}
      </Form>
      <p className="mt-5 text-[15px] text-ink-soft">
        Your order number has 8 letters and digits. You’ll find it in your confirmation email. Ordered with an account?{" "}
        <Link to="/account?tab=orders" className="text-link">
          See your orders
        </Link>
      </p>
    </>
  );
}
