import { Link } from "react-router";
import type { OrderProblem } from "../../../../shop/checkout/place-order.server.ts";
import { Alert } from "../../../ui/feedback/alert.tsx";

type OrderAlertProps = {
  message: string;
  problems?: OrderProblem[];
  /** Where the remedy is. */
  link?: { to: string; text: string };
  /** Changes with each action result, so that the same words are read again. */
  actionResult?: unknown;
};

const toCart = { to: "/cart", text: "Go to your cart" };

/** Why the order cannot be placed as it is, line by line, with the way to the remedy. */
export function OrderAlert({
  message,
  problems = [],
  link = problems.length > 0 ? toCart : undefined,
  actionResult,
}: OrderAlertProps) {
  return (
    <Alert tone="error" focusFor={actionResult} className="grid scroll-mt-28 gap-4 p-5 sm:p-6">
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
