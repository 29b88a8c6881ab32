import type { ShouldRevalidateFunctionArgs } from "react-router";

/** Reloads after a refusal: the order has changed since it was shown. */
export const shouldRevalidate = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 409 || defaultShouldRevalidate;
