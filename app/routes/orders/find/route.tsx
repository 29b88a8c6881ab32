import { useEffect, useRef } from "react";
import { Form, Link, useNavigation } from "react-router";
import { writeToShop } from "../../../http/browser-write.ts";
import { privateMeta } from "../../../http/page-meta.ts";
import { Alert } from "../../../ui/feedback/alert.tsx";
import { TextField } from "../../../ui/form/field.tsx";
import type { Route } from "./+types/route.ts";
import { CONNECTION_LOST, type FindActionResult } from "./action-result.ts";
import { sendOrderLink } from "./send.server.ts";

export { goingBackHeaders as headers } from "../../../http/cache-headers.ts";

export const meta: Route.MetaFunction = () => privateMeta("Find your order");

export const action = ({ request, context }: Route.ActionArgs) => sendOrderLink(request, context);

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<FindActionResult>(call, {
    key: "sent",
    lost: (form) => ({
      sent: false,
      message: CONNECTION_LOST,
      errors: {},
      typed: Object.fromEntries(form) as Record<string, string>,
    }),
  });

export default function FindOrder({ actionData }: Route.ComponentProps) {
  const actionResult = actionData as FindActionResult | undefined;
  return (
    <div className="page section grid min-h-[60vh] content-center justify-items-center">
      <div className="w-full max-w-[440px]">{actionResult?.sent ? <Sent /> : <Ask actionResult={actionResult} />}</div>
    </div>
  );
}

function Sent() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} role="status" tabIndex={-1} className="outline-none">
      <h1 className="heading">Check your inbox</h1>
      <p className="mt-4 text-lg">If it exists, a link is in your mail.</p>
      <p className="mt-2 text-ink-soft">
        Nothing there in a few minutes? Check the number in your confirmation, and that the email is the one you ordered
        with.
      </p>
      <Link to="/support#contact" className="button button-quiet mt-8">
        Go to Support
      </Link>
    </div>
  );
}

type Refused = Extract<FindActionResult, { sent: false }>;

function Ask({ actionResult }: { actionResult: Refused | undefined }) {
  const isSending = useNavigation().formAction === "/orders/find";
  useEffect(() => {
    if (actionResult) document.querySelector<HTMLElement>("#find-order [aria-invalid]")?.focus();
  }, [actionResult]);
  const { errors = {}, typed = {}, message } = actionResult ?? {};
  const field = (name: "number" | "email") => ({
    id: `find-${name}`,
    name,
    error: errors[name],
    errorId: `find-${name}-error`,
    defaultValue: typed[name],
  });
  return (
    <>
      <h1 className="heading">Find your order</h1>
      <p className="mt-4 text-lg text-ink-soft">
        Enter its number and the email you ordered with, and we mail you the link to it.
      </p>
      <Form id="find-order" method="post" action="/orders/find" noValidate className="mt-9 grid gap-5">
        {message && (
          <Alert focusFor={Object.keys(errors).length === 0 && actionResult} className="px-5 py-4 outline-none">
            {message}
          </Alert>
        )}
        <TextField
          {...field("number")}
          label="Order number"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField {...field("email")} label="Email" type="email" autoComplete="email" />
        <button type="submit" aria-disabled={isSending || undefined} className="button button-primary w-full">
          {isSending ? "Sending..." : "Send Link"}
        </button>
      </Form>
      <p className="mt-5 text-[15px] text-ink-soft">
        The number has 8 letters and digits and stands in your confirmation. Orders in your account are{" "}
        <Link to="/account?tab=orders" className="text-link">
          listed there
        </Link>
        .
      </p>
    </>
  );
}
