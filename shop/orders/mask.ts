/** What whoever has only the link to an order may read of its customer: enough to know it is theirs, and no more. */

const HIDDEN = "•••";

/** "a•••@example.com" */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  return at < 1 ? HIDDEN : `${Array.from(email)[0]}${HIDDEN}${email.slice(at)}`;
}

type Address = {
  shippingFirstName: string;
  shippingLastName: string;
  shippingState: string;
  shippingPostalCode: string;
};

/**
 * "A••• L•••" and "NY 100••". Everything else was typed, by whoever it was, and the link goes to the email that they
 * typed: only the state and the first digits of the ZIP code can hold no message.
 */
export function maskAddress(address: Address): string[] {
  const initial = (name: string) => (name ? `${Array.from(name)[0]}${HIDDEN}` : "");
  const name = [initial(address.shippingFirstName), initial(address.shippingLastName)].filter(Boolean).join(" ");
  const zip = /^\d{3}/.exec(address.shippingPostalCode)?.[0];
  return [name, [address.shippingState, zip && `${zip}••`].filter(Boolean).join(" ")].filter(Boolean);
}
