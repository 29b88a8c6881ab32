import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * A page of the back office is read again also after a refusal, which may have come from what a colleague changed, but not
 * without a connection (503 of the client action): the error page would replace what was typed.
 */
export const shouldRevalidate = ({ actionStatus }: ShouldRevalidateFunctionArgs): boolean => actionStatus !== 503;
