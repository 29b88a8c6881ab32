/** A page of the back office is read again also after a refusal, which may have come from what a colleague changed. */
export const shouldRevalidate = () => true;
